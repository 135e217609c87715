//! What changes made of contents lately, remembered by each worker for itself: one look into a small
//! table instead of a way through the shared one (`values`).
//!
//! Numbers of changes and contents keep their meaning, so nothing here ever becomes wrong.

/// Entries: 64 KB, a part of the second cache.
const LOG: u32 = 12;

#[derive(Clone, Debug)]
pub struct UpdateCache {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// A component and a change, as they stand in a leaf.
    update: u64,
    value: u32,
    /// Plus one; 0 in an entry that was never written.
    result: u32,
}

impl Default for UpdateCache {
    fn default() -> UpdateCache {
        let entries = vec![Entry::default(); 1 << LOG].into_boxed_slice();
        UpdateCache { entries }
    }
}

impl UpdateCache {
    /// What a change makes of a content; found out by others if it is not known here.
    #[inline(always)]
    pub fn get<E>(
        &mut self,
        update: u64,
        value: u32,
        find_out: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let mixed = (update.rotate_left(20) ^ u64::from(value)).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let entry = &mut self.entries[(mixed >> (u64::BITS - LOG)) as usize % (1 << LOG)];
        if entry.update == update && entry.value == value && entry.result != 0 {
            return Ok(entry.result - 1);
        }
        let result = find_out()?;
        *entry = Entry {
            update,
            value,
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
        let mut changed = UpdateCache::default();
        let truth = |update: u64, value: u32| (update as u32).wrapping_mul(31) ^ value >> 1;
        for round in 0..3 {
            for update in 0..300 {
                for value in 0..40 {
                    let update = (update << 32) | (update % 7);
                    let result = changed.get(update, value, || Ok::<_, ()>(truth(update, value)));
                    assert_eq!(result, Ok(truth(update, value)), "round {round}");
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
