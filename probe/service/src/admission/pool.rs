//! Pools: the places and bytes that clients share.
//!
//! A number alone, without shares, would let `idle-connections`, `held-calls`, `held-searches` and `busy-lane` of
//! `makruk-torture` shut all others out, and so would clients that watch health on many connections.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::admission::holder::Holder;
use crate::admission::request_context::SLICE;
use crate::metrics::Metrics;
use crate::status::{Failure, Load};

/// Time after which something idle makes room for its own address, too.
const OWN_IDLE: Duration = Duration::from_secs(1);
/// Time after which something idle makes room for an address that has nothing, even if its own has no more.
const TIE_IDLE: Duration = Duration::from_millis(50);
/// Work of all addresses after which it counts half.
const RECENT_WORK_US: u64 = 2_000_000;
/// The address of work that many clients share, or that the server does on its own.
const NOBODY: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Places, or bytes, that all clients share by one rule:
///
/// - No more is taken than there is. (What is larger than the pool is admitted while nothing else is taken.)
/// - If room is missing, the address that holds the most, including what it requests, loses what has been idle longest,
///   again and again until there is room.
/// - An address makes room for another only as long as it holds more than the other will. Its own requests make room
///   only by what has been idle for a second: so a busy client is refused and does not end its own work.
/// - A new client may also take idle resources from clients of its own size, least recently used first.
/// - Work on a thread cannot be taken away; the next address is asked instead.
///
/// Thus an address is refused only if no other holds more than it would. One that holds less than an equal share always
/// gets in, whatever the others do, and how many connections they have.
#[derive(Debug)]
pub(crate) struct Pool {
    load: Load,
    most: usize,
    metrics: Arc<Metrics>,
    shares: Mutex<Shares>,
}

#[derive(Debug, Default)]
struct Shares {
    taken: usize,
    of: HashMap<IpAddr, Share>,
    /// The last number of a grant or of one who waits.
    number: u64,
    waiting: BTreeMap<u64, (IpAddr, usize, Arc<Notify>)>,
    /// Microseconds that each address has worked lately.
    worked_us: HashMap<IpAddr, u64>,
}

/// The share of an address.
#[derive(Debug, Default)]
struct Share {
    held: usize,
    grants: BTreeMap<u64, Held>,
}

#[derive(Debug)]
struct Held {
    amount: usize,
    /// The holder, unless this cannot be taken away.
    holder: Option<Arc<Holder>>,
}

/// A grant that can be taken away: when it last moved, its number, its amount.
type Loss = (u64, u64, usize);

/// A part of a pool, which is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Grant {
    pool: Arc<Pool>,
    address: IpAddr,
    number: u64,
}

impl Shares {
    fn held(&self, address: IpAddr) -> usize {
        self.of.get(&address).map_or(0, |share| share.held)
    }

    fn insert(&mut self, address: IpAddr, held: Held) -> u64 {
        self.number += 1;
        self.taken += held.amount;
        let share = self.of.entry(address).or_default();
        share.held += held.amount;
        share.grants.insert(self.number, held);
        self.number
    }

    /// Sets the amount of a grant, unless it was taken away.
    fn resize(&mut self, grant: &Grant, resize: impl FnOnce(usize) -> usize) {
        let Some(share) = self.of.get_mut(&grant.address) else { return };
        let Some(held) = share.grants.get_mut(&grant.number) else { return };
        let (before, after) = (held.amount, resize(held.amount));
        held.amount = after;
        share.held = share.held - before + after;
        self.taken = self.taken - before + after;
    }

    fn remove(&mut self, address: IpAddr, number: u64) -> Option<Held> {
        let share = self.of.get_mut(&address)?;
        let held = share.grants.remove(&number)?;
        share.held -= held.amount;
        self.taken -= held.amount;
        if share.grants.is_empty() {
            self.of.remove(&address);
        }
        Some(held)
    }

    /// Notes that an address has worked.
    fn add_work(&mut self, address: IpAddr, time: Duration) {
        *self.worked_us.entry(address).or_default() += time.as_micros() as u64;
        if self.worked_us.values().sum::<u64>() > RECENT_WORK_US {
            self.worked_us.retain(|_, worked| {
                *worked /= 2;
                *worked > 0
            });
        }
    }

    /// The work of an address in microseconds: what it has worked lately, and a slice for each of its parts.
    fn weight(&self, address: IpAddr, parts: usize) -> u64 {
        self.worked_us.get(&address).copied().unwrap_or_default() + parts as u64 * SLICE.as_micros() as u64
    }

    /// The weight, the address, the amount and the wake-up of the waiting request that comes first: that of the address
    /// with the least work.
    fn next(&self) -> Option<(u64, IpAddr, usize, &Notify)> {
        // Requests that an address has made before count as if it had them.
        let mut before: HashMap<IpAddr, usize> = HashMap::new();
        let weighed = self.waiting.values().map(|(address, amount, woken)| {
            let before = before.entry(*address).or_insert_with(|| self.held(*address));
            *before += 1;
            (self.weight(*address, *before), *address, *amount, &**woken)
        });
        weighed.min_by_key(|(weight, ..)| *weight)
    }

    fn fits(&self, most: usize, amount: usize) -> bool {
        self.taken == 0 || self.taken.saturating_add(amount) <= most
    }

    /// The grants by whose end there is room, by the rule of [`Pool`]; `None` if there are not enough. `growing` is the
    /// grant that needs the room.
    fn victims(&self, most: usize, address: IpAddr, amount: usize, growing: u64) -> Option<Vec<(IpAddr, u64)>> {
        let mut victims = Vec::new();
        if self.fits(most, amount) {
            return Some(victims);
        }
        let mut missing = self.taken.saturating_add(amount) - most;
        let mut own = self.held(address).saturating_add(amount);
        let is_new = own == amount;
        let others = self.of.iter().filter(|(other, share)| **other != address && share.held >= own);
        // Of those who hold as much as the newcomer will, the idlest comes first.
        let weigh = |(&other, share): (&IpAddr, &Share)| {
            let idlest = if share.held > own { None } else { share.can_lose(growing).min() };
            (share.held, Reverse(idlest.map(|loss| loss.0)), other)
        };
        let mut heaviest: BinaryHeap<_> = others.map(weigh).collect();
        heaviest.push((own, Reverse(Some(u64::MAX)), address));
        let mut losses: HashMap<IpAddr, BinaryHeap<Reverse<Loss>>> = HashMap::new();
        while missing > 0 {
            let (held, idlest, heavy) = heaviest.pop()?;
            let least_idle = match held.cmp(&own) {
                _ if heavy == address => OWN_IDLE,
                Ordering::Greater => Duration::ZERO,
                Ordering::Equal if is_new => TIE_IDLE,
                _ => continue,
            };
            let can_lose = losses.entry(heavy).or_insert_with(|| {
                self.of.get(&heavy).into_iter().flat_map(|share| share.can_lose(growing)).map(Reverse).collect()
            });
            let is_idle = |Reverse((moved_ms, ..)): &Reverse<Loss>| Holder::since(*moved_ms) >= least_idle;
            let Some(Reverse((_, number, lost))) = can_lose.pop().filter(is_idle) else { continue };
            victims.push((heavy, number));
            missing = missing.saturating_sub(lost);
            if heavy == address {
                own -= lost;
            }
            heaviest.push((held - lost, idlest, heavy));
        }
        Some(victims)
    }
}

impl Share {
    /// The grants that can be taken away.
    fn can_lose(&self, growing: u64) -> impl Iterator<Item = Loss> {
        let grants = self.grants.iter().filter(move |(number, held)| **number != growing && held.amount > 0);
        grants.filter_map(|(&number, held)| Some((held.holder.as_ref()?.moved_ms(), number, held.amount)))
    }
}

impl Pool {
    pub(crate) fn new(load: Load, most: usize, metrics: &Arc<Metrics>) -> Arc<Pool> {
        Arc::new(Pool { load, most: most.max(1), metrics: Arc::clone(metrics), shares: Mutex::default() })
    }

    pub(crate) fn taken(&self) -> usize {
        self.shares().taken
    }

    /// Has the metrics show what is taken.
    pub(crate) fn report(&self) {
        self.metrics.set_pool(self.load, self.taken(), self.most);
    }

    fn shares(&self) -> MutexGuard<'_, Shares> {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a part for a holder, by the rule; without a holder, the part cannot be taken away.
    pub(crate) fn take(self: &Arc<Pool>, holder: Option<&Arc<Holder>>, amount: usize) -> Result<Grant, Failure> {
        self.try_take(holder, amount).ok_or_else(|| self.shed())
    }

    fn try_take(self: &Arc<Pool>, holder: Option<&Arc<Holder>>, amount: usize) -> Option<Grant> {
        let address = holder.map_or(NOBODY, |holder| holder.address);
        let mut shares = self.shares();
        let displaced = self.make_room(&mut shares, address, amount, 0)?;
        let number = shares.insert(address, Held { amount, holder: holder.cloned() });
        drop(shares);
        self.end(&displaced);
        Some(Grant { pool: Arc::clone(self), address, number })
    }

    /// Like [`Pool::take`], but waits for room. Among the waiting, the address with the least work comes first: that it
    /// has done lately, and that it holds.
    pub(crate) async fn wait(self: &Arc<Pool>, holder: Option<&Arc<Holder>>, amount: usize) -> Grant {
        if self.shares().waiting.is_empty()
            && let Some(grant) = self.try_take(holder, amount)
        {
            return grant;
        }
        let woken = Arc::new(Notify::new());
        let _turn = {
            let mut shares = self.shares();
            shares.number += 1;
            let number = shares.number;
            let address = holder.map_or(NOBODY, |holder| holder.address);
            shares.waiting.insert(number, (address, amount, Arc::clone(&woken)));
            self.wake_next(&shares);
            Turn { pool: Arc::clone(self), number }
        };
        loop {
            woken.notified().await;
            if let Some(grant) = self.try_take(holder, amount) {
                return grant;
            }
        }
    }

    /// Ends all holders that have not moved for this long.
    pub(crate) fn end_idle(&self, idle: Duration) {
        let shares = self.shares();
        let grants = shares.of.values().flat_map(|share| share.grants.values());
        let holders = grants.filter_map(|held| held.holder.clone()).filter(|holder| holder.is_idle(idle));
        let holders: Vec<_> = holders.collect();
        drop(shares);
        for holder in holders {
            if holder.end(Failure::idle(idle)) {
                self.metrics.calls_idle.inc();
            }
        }
    }

    /// Removes the grants that make room, and returns their holders; `None` if there is no room.
    fn make_room(&self, shares: &mut Shares, address: IpAddr, amount: usize, growing: u64) -> Option<Vec<Arc<Holder>>> {
        let victims = shares.victims(self.most, address, amount, growing)?;
        Some(victims.into_iter().filter_map(|(address, number)| shares.remove(address, number)?.holder).collect())
    }

    fn end(&self, displaced: &[Arc<Holder>]) {
        for holder in displaced {
            self.metrics.displaced(self.load);
            tracing::debug!(address = %holder.address, limit = self.load.name(), "ended: its address holds the most");
            let share = "and this address had the most of them";
            holder.end(Failure::overloaded(self.load, self.most, share));
        }
    }

    /// The failure of a request for which there is no room.
    pub(crate) fn shed(&self) -> Failure {
        self.metrics.shed(self.load);
        Failure::overloaded(self.load, self.most, "and no address has more of them than this one")
    }

    /// Wakes the waiting request that comes first, if there is room.
    fn wake_next(&self, shares: &Shares) {
        if let Some((.., amount, woken)) = shares.next()
            && shares.fits(self.most, amount)
        {
            woken.notify_one();
        }
    }
}

impl Grant {
    /// Takes more, by the rule.
    pub(crate) fn grow(&self, amount: usize) -> Result<(), Failure> {
        let mut shares = self.pool.shares();
        let room = self.pool.make_room(&mut shares, self.address, amount, self.number);
        let displaced = room.ok_or_else(|| self.pool.shed())?;
        shares.resize(self, |held| held + amount);
        drop(shares);
        self.pool.end(&displaced);
        Ok(())
    }

    /// Gives some of it back.
    pub(crate) fn shrink(&self, amount: usize) {
        let mut shares = self.pool.shares();
        shares.resize(self, |held| held.saturating_sub(amount));
        self.pool.wake_next(&shares);
    }

    /// Notes that a thread has worked for this long, and returns whether it may go on: nobody who waits comes first,
    /// and no other request of its address.
    pub(crate) fn has_worked(&self, time: Duration) -> bool {
        let mut shares = self.pool.shares();
        shares.add_work(self.address, time);
        let own = shares.weight(self.address, shares.held(self.address));
        shares.next().is_none_or(|(weight, address, ..)| own <= weight && address != self.address)
    }

    /// From now on this cannot be taken away: a thread works.
    pub(crate) fn fix(&self) {
        let mut shares = self.pool.shares();
        let share = shares.of.get_mut(&self.address);
        if let Some(held) = share.and_then(|share| share.grants.get_mut(&self.number)) {
            held.holder = None;
        }
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        let mut shares = self.pool.shares();
        if shares.remove(self.address, self.number).is_some() {
            self.pool.wake_next(&shares);
        }
    }
}

/// A turn in the queue. If it ends without taking anything, the room goes to the next.
struct Turn {
    pool: Arc<Pool>,
    number: u64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut shares = self.pool.shares();
        shares.waiting.remove(&self.number);
        self.pool.wake_next(&shares);
    }
}

#[cfg(test)]
mod tests;
