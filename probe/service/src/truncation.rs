//! Tables that someone cuts short while they are mapped.

/// Has this process survive when a mapped table is cut short, or its disk fails, under a probe.
///
/// Tables are replaced by renaming, never written in place, so this does not happen to those who follow the format. But
/// whoever copies over a table with a tool that truncates first would end every process that has it mapped: reading beyond
/// a file's new end raises SIGBUS. With this, the page reads as zeros; a table that is watched ([`Access::Watched`](makruk_probe::Access)) or whose checksums are
/// compared is then found damaged.
///
/// Does nothing on systems other than Linux.
///
/// # Errors
///
/// If the system refuses.
pub fn survive_truncated_tables() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    linux::install()?;
    Ok(())
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod linux {
    use std::io;
    use std::mem::zeroed;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use libc::{c_int, c_void, siginfo_t};

    /// A page's bytes, a power of two; 0 until it is known.
    static PAGE: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn install() -> io::Result<()> {
        // SAFETY: it takes no pointers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        PAGE.store(usize::try_from(page).map_err(|_| io::Error::last_os_error())?, Ordering::Relaxed);
        // SAFETY: all zeros is a valid `sigaction`: no flags, an empty mask, the default handler.
        let mut action: libc::sigaction = unsafe { zeroed() };
        action.sa_sigaction = on_bus_error as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `action` is initialised and outlives the call; the old handler is not asked for. The handler does nothing
        // that is not allowed in one, see there.
        match unsafe { libc::sigaction(libc::SIGBUS, &action, null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Puts a page of zeros where a file's page can't be had; any other error of this kind ends the process, as before.
    extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`, whose address is set for SIGBUS.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        let page = PAGE.load(Ordering::Relaxed);
        // The kernel raises BUS_ADRERR on access to a page of a mapped file that lies beyond the file's end or can't be read;
        // nothing else in a process without devices raises it, least of all a wild pointer (that is SIGSEGV).
        if code == libc::BUS_ADRERR && page > 0 {
            // SAFETY: the page at `address` belongs to a mapped file, as `code` says, and has no content to lose; it becomes a
            // private page of zeros that, as tables' maps, can only be read. Those who hold it borrowed could read nothing
            // there before. The system call touches nothing of this process's memory but that page's mapping, so it does no harm within a
            // handler; `errno`, which it may set, is put back.
            let mapped = unsafe {
                let errno = libc::__errno_location();
                let before = *errno;
                let start = (address & !(page - 1)) as *mut c_void;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
                let mapped = libc::mmap(start, page, libc::PROT_READ, flags, -1, 0);
                *errno = before;
                mapped
            };
            if mapped != libc::MAP_FAILED {
                return;
            }
        }
        // SAFETY: setting the default action is allowed in a handler. On return the access is tried again, and ends the process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
