//! What changes made of contents lately, remembered by each worker for itself: one look into a small
//! table instead of a way through the shared one (`contents`).
//!
//! Numbers of changes and contents keep their meaning, so nothing here ever becomes wrong.

/// Entries: 64 KB, a part of the second cache.
const LOG: u32 = 12;

#[derive(Clone, Debug)]
pub struct Changed {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// A component and a change, as they stand in a leaf.
    change: u64,
    content: u32,
    /// Plus one; 0 in an entry that was never written.
    result: u32,
}

impl Default for Changed {
    fn default() -> Changed {
        let entries = vec![Entry::default(); 1 << LOG].into_boxed_slice();
        Changed { entries }
    }
}

impl Changed {
    /// What a change makes of a content; found out by others if it is not known here.
    #[inline(always)]
    pub fn get<E>(
        &mut self,
        change: u64,
        content: u32,
        find_out: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let mixed =
            (change.rotate_left(20) ^ u64::from(content)).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let entry = &mut self.entries[(mixed >> (u64::BITS - LOG)) as usize % (1 << LOG)];
        if entry.change == change && entry.content == content && entry.result != 0 {
            return Ok(entry.result - 1);
        }
        let result = find_out()?;
        *entry = Entry {
            change,
            content,
            result: result + 1,
        };
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_that_of_its_change_and_content() {
        let mut changed = Changed::default();
        let truth = |change: u64, content: u32| (change as u32).wrapping_mul(31) ^ content >> 1;
        for round in 0..3 {
            for change in 0..300 {
                for content in 0..40 {
                    let change = (change << 32) | (change % 7);
                    let result =
                        changed.get(change, content, || Ok::<_, ()>(truth(change, content)));
                    assert_eq!(result, Ok(truth(change, content)), "round {round}");
                }
            }
        }
        assert_eq!(changed.get(1, 1, || Err("full")), Err("full"));
        assert_eq!(
            changed.get(1, 1, || Ok::<_, ()>(7)),
            Ok(7),
            "a failure is not remembered"
        );
        assert_eq!(changed.get(1, 1, || Err(())), Ok(7));
    }
}
