//! Tables that are cut short while they are mapped. Reads by position would need none of this, and take twice as long.

/// The proof that this process survives a watched table that is cut short: [`survive_truncated_tables`] gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TruncationHandler(());

/// Takes over this process's SIGBUS, so that it survives a watched table ([`Access::watched`](super::Access::watched))
/// that is cut short, or whose disk fails.
///
/// The format has tables replaced by renaming, never written in place. A tool that truncates a table and then copies
/// over it ends every process that has the table mapped, because a read beyond the file's new end raises SIGBUS. After
/// this call such a page of a watched table reads as zeros, and the table fails.
///
/// The handler is one of the whole process, but acts on the maps of watched tables alone. Every other SIGBUS goes to
/// the handler that was installed before, or to the default action if there was none. Such are those of other
/// libraries' maps, and those that other processes send. Call this after other handlers are installed. Further calls
/// change nothing.
///
/// # Errors
///
/// If the system refuses the handler, or is another than Linux.
pub fn survive_truncated_tables() -> std::io::Result<TruncationHandler> {
    #[cfg(target_os = "linux")]
    return linux::install().map(|()| TruncationHandler(()));
    #[cfg(not(target_os = "linux"))]
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod linux {
    use std::io;
    use std::mem::{MaybeUninit, transmute, zeroed};
    use std::ptr::null_mut;
    use std::sync::{Mutex, OnceLock};

    use libc::{c_int, c_void, siginfo_t};

    use super::super::watched_range::note_lost_page;
    use crate::lock;

    /// The state of the handler. It is complete before the handler is installed.
    static INSTALLED: OnceLock<Installed> = OnceLock::new();

    struct Installed {
        /// Size of a page in bytes, a power of two.
        page: usize,
        /// The handler that was installed before.
        previous: libc::sigaction,
    }

    /// Handlers with and without SA_SIGINFO.
    type WithInfo = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);
    type WithoutInfo = extern "C" fn(c_int);

    /// Whether the handler is installed. It is locked while it is being installed.
    static IS_INSTALLED: Mutex<bool> = Mutex::new(false);

    pub(super) fn install() -> io::Result<()> {
        let mut is_installed = lock(&IS_INSTALLED);
        // The handler must not become its own predecessor.
        if *is_installed {
            return Ok(());
        }
        // SAFETY: the call takes no pointers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).map_err(|_| io::Error::last_os_error())?;
        let mut previous = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action the call only writes the present one to `previous`, which it initialises if it
        // returns 0.
        let previous = unsafe {
            match libc::sigaction(libc::SIGBUS, std::ptr::null(), previous.as_mut_ptr()) {
                0 => previous.assume_init(),
                _ => return Err(io::Error::last_os_error()),
            }
        };
        let _ = INSTALLED.set(Installed { page, previous });
        // SAFETY: all zeros is a valid `sigaction`: no flags, an empty mask, the default handler.
        let mut action: libc::sigaction = unsafe { zeroed() };
        action.sa_sigaction = on_bus_error as WithInfo as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `action` is initialised and outlives the call. The handler only does what is allowed in one, see
        // there.
        match unsafe { libc::sigaction(libc::SIGBUS, &action, null_mut()) } {
            0 => *is_installed = true,
            _ => return Err(io::Error::last_os_error()),
        }
        Ok(())
    }

    /// Replaces a page of a watched table that cannot be read by zeros; passes every other SIGBUS on.
    extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        // Reading an initialised `OnceLock` is one atomic load; it was initialised before the handler was installed.
        let Some(Installed { page, previous }) = INSTALLED.get() else { return };
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`, whose address is set for a fault.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        // The kernel raises BUS_ADRERR on access to a page of a mapped file that is beyond the file's end or cannot be
        // read.
        if code == libc::BUS_ADRERR && note_lost_page(address) && put_zeros(address & !(page - 1), *page) {
            return;
        }
        pass_on(previous, signal, info, context);
    }

    /// Maps a page of zeros over a page of a watched map. Returns false if the system refuses.
    fn put_zeros(start: usize, page: usize) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the page is one of a watched map. The thread that faulted is reading the map, so it stays mapped. No
        // reference to its bytes exists: `WatchedMap` has the system copy them, which may find the file's bytes or
        // zeros. The system call touches no memory of this process but that page's mapping, so it is harmless within a
        // handler; `errno`, which it may set, is restored.
        unsafe {
            let errno = libc::__errno_location();
            let before = *errno;
            let mapped = libc::mmap(start as *mut c_void, page, libc::PROT_READ, flags, -1, 0);
            *errno = before;
            mapped != libc::MAP_FAILED
        }
    }

    /// Handles the signal as the process did before the handler was installed.
    fn pass_on(previous: &libc::sigaction, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`.
        let is_fault = unsafe { (*info).si_code } > 0;
        match previous.sa_sigaction {
            libc::SIG_IGN if !is_fault => {}
            // The system does not let a process ignore a fault, which would be raised again for ever.
            libc::SIG_DFL | libc::SIG_IGN => {
                // SAFETY: all of these calls are allowed in a handler. The signal is blocked until the handler returns;
                // then the default action ends the process, whether the signal was a fault or was sent.
                unsafe {
                    libc::signal(signal, libc::SIG_DFL);
                    libc::raise(signal);
                }
            }
            // SAFETY: the address is that of a handler which the process installed, of the type that its flags tell.
            handler => unsafe {
                if previous.sa_flags & libc::SA_SIGINFO != 0 {
                    transmute::<usize, WithInfo>(handler)(signal, info, context);
                } else {
                    transmute::<usize, WithoutInfo>(handler)(signal);
                }
            },
        }
    }
}
