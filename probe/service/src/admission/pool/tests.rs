use std::pin::pin;

use futures_util::FutureExt;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn pool(most: usize) -> Arc<Pool> {
    Pool::new(Load::Calls, most, &Arc::new(Metrics::new()))
}

fn address(last: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, last])
}

fn holder(last: u8) -> Arc<Holder> {
    Holder::new(address(last), None, Default::default())
}

/// Something that happens to a pool: by an address, or to one of the grants.
#[derive(Clone, Debug)]
enum Event {
    Take(u8, usize),
    Grow(usize, usize),
    Shrink(usize, usize),
    Drop(usize),
    Fix(usize),
    Move(usize, u64),
}

/// The numbers of addresses with which the rule is tried.
fn addresses() -> impl Strategy<Value = u8> {
    select(vec![2, 6, 10, 100])
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        5 => (0u8..100, 1usize..9).prop_map(|(from, amount)| Event::Take(from, amount)),
        2 => (0usize..64, 1usize..9).prop_map(|(at, amount)| Event::Grow(at, amount)),
        1 => (0usize..64, 1usize..9).prop_map(|(at, amount)| Event::Shrink(at, amount)),
        1 => (0usize..64).prop_map(Event::Drop),
        1 => (0usize..64).prop_map(Event::Fix),
        // Times that are long ago: everything is idle, and the order is known.
        3 => (0usize..64, 0u64..1000).prop_map(|(at, ms)| Event::Move(at, ms)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_sums_are_right_and_who_is_refused_ends_nobody(
        addresses in addresses(),
        most in 8usize..40,
        events in prop::collection::vec(event(), 1..200),
    ) {
        let pool = pool(most);
        let mut grants: Vec<(Grant, Arc<Holder>)> = Vec::new();
        for event in events {
            let ended = |grants: &[(Grant, Arc<Holder>)]| {
                grants.iter().filter(|(_, holder)| holder.ended().is_cancelled()).count()
            };
            let before = ended(&grants);
            match event {
                Event::Take(from, amount) => {
                    let from = from % addresses;
                    let holder = holder(from);
                    holder.move_at(0);
                    match pool.take(Some(&holder), amount) {
                        Ok(grant) => grants.push((grant, holder)),
                        Err(_) => prop_assert_eq!(ended(&grants), before),
                    }
                }
                Event::Grow(at, amount) if at < grants.len() => {
                    let grant = &grants[at].0;
                    let is_live = pool.shares().of.get(&grant.address).is_some_and(|share| share.grants.contains_key(&grant.number));
                    if is_live && grant.grow(amount).is_err() {
                        prop_assert_eq!(ended(&grants), before);
                    }
                }
                Event::Shrink(at, amount) if at < grants.len() => grants[at].0.shrink(amount),
                Event::Drop(at) if at < grants.len() => drop(grants.swap_remove(at)),
                Event::Fix(at) if at < grants.len() => grants[at].0.fix(),
                Event::Move(at, ms) if at < grants.len() => grants[at].1.move_at(ms),
                _ => {}
            }
            let shares = pool.shares();
            let amounts = |share: &Share| share.grants.values().map(|held| held.amount).sum::<usize>();
            prop_assert!(shares.of.values().all(|share| share.held == amounts(share) && !share.grants.is_empty()));
            prop_assert_eq!(shares.taken, shares.of.values().map(|share| share.held).sum::<usize>());
            prop_assert!(shares.taken <= most);
            drop(shares);
            // The holders whose grants were taken away have ended, and no others.
            for (grant, holder) in &grants {
                let shares = pool.shares();
                let is_live = shares.of.get(&grant.address).is_some_and(|share| share.grants.contains_key(&grant.number));
                prop_assert_eq!(is_live, !holder.ended().is_cancelled());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_address_with_less_than_an_equal_share_gets_in(
        attackers in addresses(),
        share in 1usize..6,
        rest in 0usize..100,
        arrivals in prop::collection::vec((0u8..100, 1usize..4, 0u64..1000), 0..900),
    ) {
        // The attackers and an innocent client have equal shares.
        let all = usize::from(attackers) + 1;
        let most = share * all + rest % all;
        let pool = pool(most);
        let mut held = Vec::new();
        let mut attack = |moved_ms: &dyn Fn(u64) -> u64| {
            for &(from, amount, ms) in &arrivals {
                let attacker = holder(from % attackers);
                attacker.move_at(moved_ms(ms));
                held.extend(pool.take(Some(&attacker), amount));
            }
        };
        attack(&|ms| ms);
        // As many places as are an equal share are taken, on any number of connections.
        let innocents: Vec<_> = (0..share).map(|_| holder(200)).collect();
        // They are at work, and the attackers are as busy.
        innocents.iter().for_each(|innocent| innocent.move_at(u64::MAX));
        let places: Vec<_> = innocents.iter().map(|innocent| pool.take(Some(innocent), 1)).collect();
        prop_assert!(places.iter().all(Result::is_ok));
        // And nobody takes them away.
        attack(&|_| u64::MAX);
        prop_assert!(innocents.iter().all(|innocent| !innocent.ended().is_cancelled()));
        prop_assert!(pool.taken() <= most);
    }
}

#[test]
fn the_heaviest_loses_what_has_been_idle_longest() {
    let pool = pool(4);
    let heavy: Vec<_> = (0..4).map(|_| holder(1)).collect();
    let held: Vec<_> = heavy.iter().map(|heavy| pool.take(Some(heavy), 1).unwrap()).collect();
    for (heavy, moved_ms) in heavy.iter().zip([30, 10, 20, 40]) {
        heavy.move_at(moved_ms);
    }
    let ended = || heavy.iter().map(|heavy| heavy.ended().is_cancelled()).collect::<Vec<_>>();
    held[1].fix();
    let (first, second) = (holder(2), holder(2));
    let _first = pool.take(Some(&first), 1).unwrap();
    assert_eq!(ended(), [false, false, true, false], "the second is at work");
    let _second = pool.take(Some(&second), 1).unwrap();
    assert_eq!(ended(), [true, false, true, false]);
    // Both hold two now.
    let refused = pool.take(Some(&holder(2)), 1).unwrap_err();
    assert!(refused.refusal.error.starts_with("4 calls are open"), "{refused:?}");
    // Something that has been idle for long makes room for its own address.
    first.move_at(0);
    while u128::from(Holder::now_ms()) < OWN_IDLE.as_millis() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(pool.take(Some(&holder(2)), 1).is_ok() && first.ended().is_cancelled() && !second.ended().is_cancelled());
}

#[test]
fn an_address_makes_room_for_itself_though_another_holds_as_much() {
    let pool = pool(4);
    let holders = [1, 2, 2, 3].map(holder);
    let _held = holders.each_ref().map(|holder| pool.take(Some(holder), 1).unwrap());
    while u128::from(Holder::now_ms()) < OWN_IDLE.as_millis() {
        std::thread::sleep(Duration::from_millis(20));
    }
    holders[0].move_at(0);
    holders[1..].iter().for_each(|holder| holder.move_at(u64::MAX));
    assert!(pool.take(Some(&holder(1)), 1).is_ok() && holders[0].ended().is_cancelled());
}

#[test]
fn an_address_that_has_nothing_takes_the_place_of_the_idlest() {
    let pool = pool(2);
    let holders = [holder(1), holder(2)];
    let _held = holders.each_ref().map(|holder| pool.take(Some(holder), 1).unwrap());
    holders.iter().for_each(|holder| holder.move_at(u64::MAX));
    assert!(pool.take(Some(&holder(3)), 1).is_err(), "nothing is idle");
    while u128::from(Holder::now_ms()) < 2 + TIE_IDLE.as_millis() {
        std::thread::sleep(Duration::from_millis(5));
    }
    holders[0].move_at(2);
    holders[1].move_at(1);
    assert!(pool.take(Some(&holder(3)), 1).is_ok());
    assert!(!holders[0].ended().is_cancelled() && holders[1].ended().is_cancelled());
}

#[tokio::test]
async fn of_those_who_wait_the_address_that_holds_least_is_next() {
    let pool = pool(3);
    let busy = holder(1);
    let held: Vec<_> = (0..3).map(|_| pool.take(Some(&busy), 1).unwrap()).collect();
    held.iter().for_each(Grant::fix);
    let (order, mut ordered) = tokio::sync::mpsc::unbounded_channel();
    let mut waiting = Vec::new();
    for from in [1, 1, 2, 1, 2] {
        let (waited_for, order) = (Arc::clone(&pool), order.clone());
        waiting.push(tokio::spawn(async move {
            let holder = holder(from);
            let grant = waited_for.wait(Some(&holder), 1).await;
            grant.fix();
            order.send((from, grant)).unwrap();
        }));
        while pool.shares().waiting.len() < waiting.len() {
            tokio::task::yield_now().await;
        }
    }
    let mut came = Vec::new();
    let mut grants: std::collections::VecDeque<_> = held.into();
    while came.len() < 5 {
        drop(grants.pop_front());
        let (from, grant) = ordered.recv().await.unwrap();
        came.push(from);
        grants.push_back(grant);
    }
    // Each time, the first of those whose address holds least then.
    assert_eq!(came, [2, 1, 1, 2, 1]);
    // One who goes leaves the turn to the next.
    let leaving = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { drop(pool.wait(Some(&holder(3)), 1).await) }
    });
    while pool.shares().waiting.is_empty() {
        tokio::task::yield_now().await;
    }
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled() && pool.shares().waiting.is_empty());
    drop(grants);
    assert_eq!(pool.taken(), 0);
}

#[tokio::test]
async fn a_thread_goes_on_until_an_address_waits_that_has_worked_less() {
    let pool = pool(1);
    let (busy, other) = (holder(1), holder(2));
    let of_busy = pool.take(Some(&busy), 1).unwrap();
    assert!(of_busy.has_worked(SLICE), "nobody waits");
    let mut waiting = pin!(pool.wait(Some(&other), 1));
    assert!(waiting.as_mut().now_or_never().is_none());
    assert!(!of_busy.has_worked(SLICE));
    drop(of_busy);
    let of_other = waiting.await;
    let mut again = pin!(pool.wait(Some(&busy), 1));
    assert!(again.as_mut().now_or_never().is_none());
    assert!(of_other.has_worked(SLICE), "it has worked less");
    assert!(!of_other.has_worked(2 * SLICE));
}

#[tokio::test]
async fn a_request_gives_way_to_another_of_its_address() {
    let (pool, busy) = (pool(1), holder(1));
    let first = pool.take(Some(&busy), 1).unwrap();
    let mut second = pin!(pool.wait(Some(&busy), 1));
    assert!(second.as_mut().now_or_never().is_none());
    assert!(!first.has_worked(SLICE));
}

#[test]
fn what_has_not_moved_for_long_is_ended() {
    let pool = pool(4);
    let holders = [holder(1), holder(2)];
    let _held = holders.each_ref().map(|holder| pool.take(Some(holder), 1).unwrap());
    while Holder::now_ms() < 50 {
        std::thread::sleep(Duration::from_millis(5));
    }
    holders[0].move_at(0);
    // Ahead of the clock: it has just moved, however busy the machine is.
    holders[1].move_at(u64::MAX);
    pool.end_idle(Duration::from_millis(49));
    assert!(holders[0].ended().is_cancelled() && !holders[1].ended().is_cancelled());
}
