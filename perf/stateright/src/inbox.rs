//! A bounded queue that lies inside the state: Stateright copies a state for every step.

/// Invariant: places behind the last message hold the default message, so that equal queues are equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inbox<M, const CAPACITY: usize> {
    length: u8,
    messages: [M; CAPACITY],
}

impl<M: Copy + Default, const CAPACITY: usize> Inbox<M, CAPACITY> {
    pub fn new() -> Self {
        Inbox {
            length: 0,
            messages: [M::default(); CAPACITY],
        }
    }

    pub fn head(&self) -> Option<M> {
        (self.length > 0).then(|| self.messages[0])
    }

    pub fn take(&mut self) -> Option<M> {
        let head = self.head()?;
        self.messages.copy_within(1.., 0);
        self.messages[CAPACITY - 1] = M::default();
        self.length -= 1;
        Some(head)
    }

    /// Panics where the inbox is full: in these models that is a mistake.
    pub fn put(&mut self, message: M) {
        self.messages[usize::from(self.length)] = message;
        self.length += 1;
    }
}
