//! Large pieces of memory: zeroed without being touched, on huge pages, given back at once, and
//! fetched ahead of use.

use std::fmt;

/// The system has no more memory to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system has no more memory to give")
    }
}

impl std::error::Error for OutOfMemory {}

/// Why a table does not become larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// The system has no more memory.
    Memory,
    /// There are not more than 2^32 numbers.
    Numbers,
}

impl From<OutOfMemory> for NoRoom {
    fn from(_: OutOfMemory) -> NoRoom {
        NoRoom::Memory
    }
}

pub use pages::{Blank, Pages};

/// Elements of zeros, straight from the system where they are many. Pages take memory when they are first written, and
/// give it back when the piece is dropped: an allocator would keep it for a while, and the old index
/// of a table that grew would count against the budget.
#[cfg(all(unix, not(loom)))]
mod pages {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ops::{Deref, DerefMut};
    use std::ptr::NonNull;

    use super::OutOfMemory;

    /// Less than this comes from the allocator after all: the many small arrays of a small exploration
    /// took most of its time where each was a mapping of its own.
    const SMALL: usize = 1 << 15;

    /// Something whose bytes may all be zero.
    pub trait Blank: bytemuck::Zeroable {}
    impl<T: bytemuck::Zeroable> Blank for T {}

    pub struct Pages<T> {
        start: NonNull<T>,
        length: usize,
        /// Elements for which addresses are set aside.
        most: usize,
    }

    // SAFETY: the pages are owned by this value alone and reached through `&self` or `&mut self`
    // only, as with a `Box<[T]>`.
    unsafe impl<T: Send> Send for Pages<T> {}
    // SAFETY: as above.
    unsafe impl<T: Sync> Sync for Pages<T> {}

    impl<T: Blank> Pages<T> {
        pub fn new(length: usize) -> Result<Pages<T>, OutOfMemory> {
            Pages::with_room(length, length)
        }

        /// The same, but to become so long without asking the system again (`lengthen`).
        pub fn with_room(length: usize, most: usize) -> Result<Pages<T>, OutOfMemory> {
            const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= 4096) };
            let most = most.max(length);
            let bytes = size_of::<T>().checked_mul(most).ok_or(OutOfMemory)?;
            if bytes == 0 {
                let start = NonNull::dangling();
                return Ok(Pages {
                    start,
                    length,
                    most,
                });
            }
            let start = match bytes < SMALL {
                // SAFETY: a layout of more than zero bytes; the result is checked below.
                true => unsafe { alloc_zeroed(small_layout::<T>(bytes)) },
                false => map(bytes),
            };
            let start = NonNull::new(start.cast()).ok_or(OutOfMemory)?;
            Ok(Pages {
                start,
                length,
                most,
            })
        }

        /// Makes all elements zero.
        pub fn clear(&mut self) {
            // SAFETY: the piece is as long as `length` elements, `&mut self` says that nobody else
            // looks, and zero bytes are a valid `T` (`Blank`).
            unsafe { std::ptr::write_bytes(self.start.as_ptr(), 0, self.length) };
        }

        /// Becomes longer, all elements being zero; false if there is no room for it. The pages that it
        /// has are used again: to clear them costs a fraction of what new ones cost.
        pub fn lengthen(&mut self, length: usize) -> bool {
            let fits = (self.length..=self.most).contains(&length);
            if fits {
                self.clear();
                self.length = length;
            }
            fits
        }
    }

    fn small_layout<T>(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, align_of::<T>())
            .expect("few bytes, and the alignment of a type")
    }

    /// A mapping of zeros; null if the system has none to give.
    fn map(bytes: usize) -> *mut u8 {
        // SAFETY: a new mapping that overlaps nothing; the result is checked.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return std::ptr::null_mut();
        }
        use_huge_pages(start, bytes);
        start.cast()
    }

    /// A table that is hit at random misses the cache of addresses, too, unless its pages are
    /// large: measured 174 against 76 ns per insert at 50 M keys.
    fn use_huge_pages(start: *mut libc::c_void, bytes: usize) {
        const HUGE: usize = 2 << 20;
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            // SAFETY: the mapping was just made, and the advice changes nothing of what it holds.
            // A refusal costs speed only.
            unsafe {
                libc::madvise(start, bytes, libc::MADV_HUGEPAGE);
            }
        }
    }

    impl<T> Deref for Pages<T> {
        type Target = [T];

        #[inline(always)]
        fn deref(&self) -> &[T] {
            // SAFETY: (1) the piece has at least `length` elements, is aligned for them, and lives as
            // long as `self`; (2) its bytes were zero at first, which is a valid `T` (`Blank`).
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
        }
    }

    impl<T> DerefMut for Pages<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: as in `deref`; `&mut self` says that nobody else looks.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
        }
    }

    impl<T> Drop for Pages<T> {
        fn drop(&mut self) {
            let bytes = self.most * size_of::<T>();
            match bytes {
                0 => {}
                // SAFETY: it came from the allocator with this layout, and nothing borrows it any more.
                // `T` needs no drop (checked in `with_room`).
                1..SMALL => unsafe {
                    dealloc(self.start.as_ptr().cast(), small_layout::<T>(bytes))
                },
                // SAFETY: as above, of a mapping that was made with this length.
                _ => unsafe {
                    libc::munmap(self.start.as_ptr().cast(), bytes);
                },
            }
        }
    }
}

/// Elsewhere, and under loom, a box does.
#[cfg(any(not(unix), loom))]
mod pages {
    use std::ops::{Deref, DerefMut};

    use super::OutOfMemory;

    pub trait Blank: Default {}
    impl<T: Default> Blank for T {}

    pub struct Pages<T>(Box<[T]>);

    impl<T: Blank> Pages<T> {
        pub fn new(length: usize) -> Result<Pages<T>, OutOfMemory> {
            Ok(Pages((0..length).map(|_| T::default()).collect()))
        }

        pub fn with_room(length: usize, _: usize) -> Result<Pages<T>, OutOfMemory> {
            Pages::new(length)
        }

        pub fn clear(&mut self) {
            self.0
                .iter_mut()
                .for_each(|element| *element = T::default());
        }

        pub fn lengthen(&mut self, _: usize) -> bool {
            false
        }
    }

    impl<T> Deref for Pages<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> DerefMut for Pages<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

/// Asks for the cache line of something that will be used soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint about an address of a valid reference; it has no effect that can be seen.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for a cache line that will be written soon, for this processor alone. A line that was only
/// asked for is shared with whoever else has it; to write there then waits for the other to let go.
#[inline(always)]
pub fn prefetch_to_write<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    // SAFETY: a hint about an address of a valid reference; it has no effect that can be seen, and
    // processors that do not know it pass over it.
    unsafe {
        std::arch::asm!(
            "prefetchw [{place}]",
            place = in(reg) std::ptr::from_ref(place),
            options(nostack, readonly, preserves_flags),
        );
    }
    #[cfg(any(not(target_arch = "x86_64"), loom))]
    prefetch(place);
}
