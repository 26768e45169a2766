//! The handler of SIGBUS replaces pages of files that are gone, and leaves every other SIGBUS to the handler before it.

#![allow(unsafe_code)]

use std::os::fd::AsRawFd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use makruk_tables::format::{lost_pages, survive_truncated_tables};

/// Calls of the handler of the host, which is this test.
static HOST_CALLS: AtomicUsize = AtomicUsize::new(0);

extern "C" fn on_bus_error(_: libc::c_int) {
    HOST_CALLS.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn other_signals_are_passed_on_to_the_host() {
    // SAFETY: all zeros is a valid `sigaction`; the handler makes no call that is not allowed in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_bus_error as extern "C" fn(libc::c_int) as usize;
        assert_eq!(libc::sigaction(libc::SIGBUS, &action, null_mut()), 0);
    }
    survive_truncated_tables().unwrap();
    // A second call must not make the handler its own predecessor.
    survive_truncated_tables().unwrap();

    // SAFETY: the signal has a handler.
    assert_eq!(unsafe { libc::raise(libc::SIGBUS) }, 0);
    assert_eq!(HOST_CALLS.load(Ordering::SeqCst), 1);

    let file = tempfile::tempfile().unwrap();
    file.set_len(1 << 16).unwrap();
    // SAFETY: the system chooses a free address; the map is checked, and read within its length only.
    let page = unsafe {
        let map = libc::mmap(null_mut(), 1 << 16, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert_ne!(map, libc::MAP_FAILED);
        map.cast::<u8>().add(1 << 15)
    };
    file.set_len(0).unwrap();
    let lost = lost_pages();
    // SAFETY: the address is within the map. Its page is beyond the file's end, so that the read raises SIGBUS.
    assert_eq!(unsafe { page.read_volatile() }, 0);
    assert_eq!(lost_pages(), lost + 1);
    assert_eq!(HOST_CALLS.load(Ordering::SeqCst), 1, "a lost page is not the host's");
}
