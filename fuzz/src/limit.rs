//! An allocator that counts.
#![allow(unsafe_code)] // The one way to count allocations; it hands everything on to the system's allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes that are held, and refuses what goes beyond a limit.
pub struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Begins a new count. Beyond `limit` bytes more than now allocations fail, which ends the process.
pub fn begin(limit: usize) {
    let held = HELD.load(Relaxed);
    MOST.store(held, Relaxed);
    LIMIT.store(held.saturating_add(limit), Relaxed);
}

/// The most bytes that were held at a time since the last [`begin`].
pub fn most() -> usize {
    MOST.load(Relaxed)
}

fn take(bytes: usize) -> bool {
    let held = HELD.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if held > LIMIT.load(Relaxed) {
        HELD.fetch_sub(bytes, Relaxed);
        return false;
    }
    MOST.fetch_max(held, Relaxed);
    true
}

// SAFETY: every call is the system allocator's, with the same arguments; a null pointer is an
// answer that callers must expect.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if take(layout.size()) { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if take(layout.size()) { unsafe { System.alloc_zeroed(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            if !take(size - layout.size()) {
                return std::ptr::null_mut();
            }
        } else {
            HELD.fetch_sub(layout.size() - size, Relaxed);
        }
        unsafe { System.realloc(pointer, layout, size) }
    }
}
