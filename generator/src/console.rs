//! Progress for people: a bar on a terminal, lines now and then elsewhere.

#[cfg(feature = "fetch")]
mod fetching;
mod phase;
mod remedy;

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use makruk_format::index::Layout;
use makruk_format::lock;
use makruk_rules::{Color, printable};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::Metric;

#[cfg(feature = "fetch")]
pub use self::fetching::FetchConsole;
use self::phase::{Step, Steps, share_of_attack};
pub use self::remedy::remedy;
use crate::checkpoint_event::CheckpointEvent;
use crate::error::BuildError;
use crate::numbers::counted;
use crate::plan::build_nanoseconds;
use crate::progress::{Built, Part, Progress, Unbuilt, WrittenTable};

/// The bounds of the time between two lines without a terminal, which is a twentieth of the time so far.
const LOG_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];

/// The time from which on it is said that the disk was waited for.
const SLOW_DISK: Duration = Duration::from_secs(10);

/// The time before which nothing is predicted: the first steps, which run once, take more time than their share of the
/// work.
const FIRST: Duration = Duration::from_secs(2);

/// The work that each material needs whatever its size, such as publishing its files, in nanoseconds.
const FIXED_WORK: u64 = 200_000_000;

/// The nanoseconds in which a core verifies a position, about.
const VERIFIED_NANOSECONDS: u64 = 200;

/// A material that is going to be built or verified.
#[derive(Clone, Debug)]
struct MaterialWork {
    material: Material,
    /// Its work, in nanoseconds of a core.
    work: u64,
    steps: Steps,
}

impl MaterialWork {
    fn build(Unbuilt { material, metrics }: &Unbuilt) -> MaterialWork {
        let (steps, share) = Steps::of_build(*material, metrics);
        MaterialWork {
            material: *material,
            work: (build_nanoseconds(*material) as f64 * share) as u64 + FIXED_WORK,
            steps,
        }
    }

    fn verify(material: Material) -> MaterialWork {
        let work = VERIFIED_NANOSECONDS * Layout::new(material).positions().iter().sum::<u64>() + FIXED_WORK;
        MaterialWork { material, work, steps: Steps::of_verification() }
    }
}

/// The material that is being built or verified.
#[derive(Debug)]
struct Current {
    task: MaterialWork,
    /// Its number among those to be built, from 1.
    number: usize,
    /// The part of its work that the bar shows.
    shown: u64,
    /// The step that was shown last.
    step: Option<Step>,
    /// Positions decided or checked so far.
    positions: u64,
    /// Positions that an interrupted build decided.
    positions_before: u64,
    begun: Instant,
}

impl Current {
    /// Takes note of a part of a step; returns the work that was done since the last, and whether that took time. The
    /// tables that were there when the material began took none.
    fn advance(&mut self, step: Step, part: f64) -> (u64, bool) {
        let took_time = self.step.replace(step).is_some();
        let work = (self.task.work as f64 * self.task.steps.done(step, part)) as u64;
        let more = work.saturating_sub(self.shown);
        self.shown += more;
        (more, took_time)
    }
}

#[derive(Debug)]
struct State {
    /// The materials to be built.
    tasks: Vec<MaterialWork>,
    begun: usize,
    current: Option<Current>,
    logged: Instant,
    /// The time of each part of each material.
    times: Vec<(Material, [Duration; Part::ALL.len()])>,
}

/// Shows a build on standard error, and results on standard output.
pub struct Console {
    bar: ProgressBar,
    terminal: bool,
    quiet: bool,
    state: Mutex<State>,
    /// The work that builds before this one have done, as far as the bar shows it.
    done_before: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Console {
    /// A display that asks the build to stop when `stop` is set.
    pub fn new(stop: Arc<AtomicBool>) -> Console {
        match std::io::stderr().is_terminal() {
            true => Console::on(ProgressDrawTarget::stderr_with_hz(8), true, stop),
            false => Console::on(ProgressDrawTarget::hidden(), false, stop),
        }
    }

    /// A display on a terminal or, if it is none, in lines.
    fn on(target: ProgressDrawTarget, terminal: bool, stop: Arc<AtomicBool>) -> Console {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        // One line: what does not fit is cut off at its end.
        let style = ProgressStyle::with_template("{prefix} [{bar:14}] {percent:>3}% {elapsed}, {left}  {wide_msg}");
        let done_before = Arc::new(AtomicU64::new(0));
        let before = Arc::clone(&done_before);
        let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let before = before.load(Ordering::Relaxed);
            let left = time_left(
                state.elapsed(),
                state.pos().saturating_sub(before),
                state.len().unwrap_or(0).saturating_sub(before),
            );
            // The build continues without the terminal.
            let _ = out.write_str(&left);
        };
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left));
        let state = State { tasks: Vec::new(), begun: 0, current: None, logged: Instant::now(), times: Vec::new() };
        Console { bar, terminal, quiet: false, state: Mutex::new(state), done_before, stop }
    }

    /// The same without progress and results: only what is wrong is printed.
    #[must_use]
    pub fn quiet(mut self) -> Console {
        self.bar.set_draw_target(ProgressDrawTarget::hidden());
        self.quiet = true;
        self
    }

    /// Prints a line of results, on standard output, that stays; nothing if the console is quiet.
    pub fn print(&self, text: &str) {
        if self.quiet {
            return;
        }
        self.bar.suspend(|| print_line(std::io::stdout(), text));
    }

    /// Prints a line about something wrong, on standard error, that stays.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| print_line(std::io::stderr(), text));
    }

    /// Begins to verify materials, in this order.
    pub fn verify(&self, materials: &[Material]) {
        self.begin_tasks(materials.iter().copied().map(MaterialWork::verify).collect());
    }

    fn begin_tasks(&self, tasks: Vec<MaterialWork>) {
        self.bar.set_length(tasks.iter().map(|task| task.work).sum());
        let mut state = lock(&self.state);
        state.tasks = tasks;
        state.logged = Instant::now();
        self.bar.reset_elapsed();
    }

    /// The time that each part of a material took, in seconds of the clock.
    pub fn times(&self, material: Material) -> [(Part, f64); Part::ALL.len()] {
        let state = lock(&self.state);
        let times = state.times.iter().rfind(|(of, _)| *of == material).map(|(_, times)| *times).unwrap_or_default();
        Part::ALL.map(|part| (part, times[part as usize].as_secs_f64()))
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Completes the current material, and prints a line about it on standard error.
    fn complete(&self, text: &str) {
        let mut state = lock(&self.state);
        let rest = state.current.take().map_or(0, |current| current.task.work.saturating_sub(current.shown));
        self.bar.inc(rest);
        if !self.quiet {
            self.bar.suspend(|| print_line(std::io::stderr(), text));
        }
        if state.begun == state.tasks.len() {
            self.bar.finish_and_clear();
        }
    }

    /// Advances the bar to a part of a step.
    fn advance(&self, current: &mut Current, step: Step, part: f64) {
        let (work, took_time) = current.advance(step, part);
        self.bar.inc(work);
        if !took_time {
            self.done_before.fetch_add(work, Ordering::Relaxed);
        }
    }

    /// Shows the part of a step that is done, and what it is doing. `phase` makes these from the current material.
    fn show(&self, phase: impl FnOnce(&mut Current) -> Option<(Step, f64, String)>) {
        let state = &mut *lock(&self.state);
        let Some(current) = &mut state.current else { return };
        let Some((step, part, phase)) = phase(current) else { return };
        self.advance(current, step, part);
        // The most useful words first: a narrow terminal shows no more.
        let positions = current.positions_before + current.positions;
        let mut message = format!("{phase}, {} positions", short(positions as f64));
        // Writing decides none, and what a build before this one decided took no time now.
        if !matches!(step, Step::Writing) && current.positions > 0 {
            let rate = current.positions as f64 / current.begun.elapsed().as_secs_f64().max(1e-3);
            message += &format!(", {}/s", short(rate));
        }
        let elapsed = self.bar.elapsed();
        if !self.terminal && !self.quiet && state.logged.elapsed() >= (elapsed / 20).clamp(LOG_EVERY[0], LOG_EVERY[1]) {
            state.logged = Instant::now();
            let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = 100.0 * done as f64 / of.max(1) as f64;
            let (number, materials, material) = (current.number, state.tasks.len(), current.task.material);
            let before = self.done_before.load(Ordering::Relaxed);
            let left = time_left(elapsed, done.saturating_sub(before), of.saturating_sub(before));
            print_line(
                std::io::stderr(),
                &format!("{number} of {materials}: {material} {message}; {percent:.0}% of all, {left}"),
            );
        }
        self.bar.set_message(message);
    }
}

impl Progress for Console {
    fn begin(&self, materials: &[Unbuilt]) {
        self.begin_tasks(materials.iter().map(MaterialWork::build).collect());
    }

    fn material(&self, material: Material) {
        let mut state = lock(&self.state);
        let Some(task) = state.tasks.iter().find(|task| task.material == material).cloned() else { return };
        state.begun += 1;
        state.times.push((material, Default::default()));
        self.bar.set_prefix(format!("{}/{} {material}", state.begun, state.tasks.len()));
        state.current = Some(Current {
            task,
            number: state.begun,
            shown: 0,
            step: None,
            positions: 0,
            positions_before: 0,
            begun: Instant::now(),
        });
    }

    fn checkpoint(&self, table: TableId, event: &CheckpointEvent) {
        let sentence = event.sentence(table);
        let metric = table.metric;
        let (step, part, positions) = match *event {
            CheckpointEvent::Resumed { attacker, moves, positions } => {
                (Step::Attack(metric, attacker), moves.checked_sub(1).map_or(0.0, share_of_attack), positions)
            }
            CheckpointEvent::Solved { positions } => {
                let last = if table.material.is_armed() { Color::Black } else { Color::White };
                (Step::Attack(metric, last), 1.0, positions)
            }
            _ => return self.warn(&printable(&sentence)),
        };
        if let Some(current) = &mut lock(&self.state).current {
            current.positions_before += positions;
            // The work of the plies before took no time now.
            current.step = None;
            self.advance(current, step, part);
        }
        if !self.quiet {
            self.bar.suspend(|| print_line(std::io::stderr(), &sentence));
        }
    }

    fn exits(&self, metric: Metric, mover: Color, slabs: u64, of: u64) {
        // White's come first.
        let part = (share(slabs, of) + f64::from(mover == Color::Black)) / 2.0;
        let text = format!("{metric} {mover}'s exits, {slabs} of {of} slabs");
        self.show(|_| Some((Step::Exits(metric), part, text)));
    }

    fn phase(&self, metric: Metric, attacker: Color) {
        self.show(|_| Some((Step::Attack(metric, attacker), 0.0, format!("{metric} {attacker} attacks"))));
    }

    fn decided(&self, moves: u16, positions: u64) {
        self.show(|current| {
            current.positions += positions;
            let step @ Step::Attack(metric, attacker) = current.step? else { return None };
            Some((step, share_of_attack(moves), format!("{metric} {attacker} attacks, move {moves}")))
        });
    }

    fn written(&self, slabs: u64, of: u64) {
        self.show(|_| Some((Step::Writing, share(slabs, of), "writing".to_owned())));
    }

    fn took(&self, part: Part, time: Duration) {
        if let Some((_, times)) = lock(&self.state).times.last_mut() {
            times[part as usize] += time;
        }
        if part == Part::Disk && time >= SLOW_DISK {
            self.warn(&format!("the disk took {:.0} s to write tables", time.as_secs_f64()));
        }
    }

    fn verified(&self, positions: u64, of: u64) {
        self.show(|current| {
            current.positions = positions;
            Some((Step::Verifying, share(positions, of), "values checked".to_owned()))
        });
    }

    fn built(&self, built: &Built) {
        self.complete(&summary(built));
    }

    fn already_built(&self, material: Material) {
        self.complete(&format!("{material}: built meanwhile by another process"));
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.stop.load(Ordering::Relaxed) {
            self.bar.finish_and_clear();
            return Err(BuildError::Stopped);
        }
        Ok(())
    }
}

fn share(done: u64, of: u64) -> f64 {
    done as f64 / of.max(1) as f64
}

/// The time left, if the build continues at its average speed. The work of a material is an estimate, so the last
/// minutes alone would predict worse. The time is unknown at first, and while next to nothing is done.
fn time_left(elapsed: Duration, done: u64, of: u64) -> String {
    if elapsed < FIRST || done < of / 1000 || done == 0 {
        return "time left unknown".to_owned();
    }
    format!("{:#} left", HumanDuration(elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64)))
}

/// Prints a line. The program continues if the reader is gone.
fn print_line(mut to: impl Write, text: &str) {
    let _ = writeln!(to, "{text}");
}

/// One line about a material that was built.
fn summary(built: &Built) -> String {
    let tables: Vec<String> = built.tables.iter().map(describe).collect();
    format!("{}: {}; {:.1} s", built.material, tables.join("; "), built.seconds)
}

/// A table: its length, and the longest win, whoever moves, where its values are distances.
fn describe(table: &WrittenTable) -> String {
    let WrittenTable { metric, bytes, longest_win } = table;
    match longest_win {
        None => format!("{metric} {bytes} bytes"),
        Some(plies) => {
            format!("{metric} longest win {}, {bytes} bytes", counted(plies.div_ceil(2).into(), "move"))
        }
    }
}

/// 1234567 as 1.2M.
fn short(number: f64) -> String {
    [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|&(unit, _)| number >= unit)
        .map_or_else(|| format!("{number:.0}"), |(unit, letter)| format!("{:.1}{letter}", number / unit))
}

#[cfg(test)]
mod tests {
    use indicatif::TermLike;

    use super::*;

    /// A terminal of 80 columns that keeps what is written to it.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl Terminal {
        fn push(&self, text: &str) -> std::io::Result<()> {
            lock(&self.0).push_str(text);
            Ok(())
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> std::io::Result<()> {
            self.push("\n")
        }
        fn move_cursor_down(&self, _: usize) -> std::io::Result<()> {
            self.push("\n")
        }
        fn move_cursor_right(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> std::io::Result<()> {
            self.push(&format!("{text}\n"))
        }
        fn write_str(&self, text: &str) -> std::io::Result<()> {
            self.push(text)
        }
        fn clear_line(&self) -> std::io::Result<()> {
            self.push("\n")
        }
        fn flush(&self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The calls of a build of a material, in their order; `after` is called after each.
    fn build(console: &Console, material: Material, mut after: impl FnMut()) {
        console.begin(&[Unbuilt { material, metrics: material.tables().map(|id| id.metric).collect() }]);
        console.material(material);
        for &metric in material.distance_metrics() {
            for mover in Color::ALL {
                console.exits(metric, mover, 1806, 1806);
                after();
            }
            for attacker in Color::ALL.into_iter().filter(|&side| !material.side(side).is_bare()) {
                console.phase(metric, attacker);
                after();
                console.decided(0, 1_234_567_890);
                console.decided(120, 10);
                after();
            }
        }
        for slabs in 1..=2 {
            console.written(slabs, 2);
            after();
        }
    }

    #[test]
    fn the_bar_advances_to_the_whole() {
        for name in ["KRvKM", "KRvK"] {
            let material: Material = name.parse().unwrap();
            let console = Console::new(Arc::default());
            let mut shown = vec![0];
            build(&console, material, || shown.push(console.bar.position()));
            let all = console.bar.length().unwrap();
            assert!(shown.is_sorted() && shown[shown.len() - 3] < all * 95 / 100, "{name}: {shown:?}");
            assert!(shown.last().unwrap() * 1000 > all * 999, "{name}: {shown:?}");
        }
    }

    #[test]
    fn the_bar_is_one_line_of_80_columns() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 250);
        let console = Console::on(target, true, Arc::default());
        build(&console, "KSSvKSM".parse().unwrap(), || {
            std::thread::sleep(Duration::from_millis(5));
            console.bar.tick();
        });
        let text = lock(&terminal.0).clone();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("KSSvKSM")).collect();
        assert!(lines.len() > 5, "{text}");
        for line in &lines {
            assert!(line.chars().count() <= 80, "{line}");
            let bar = line.split(['[', ']']).nth(1).unwrap_or_default();
            assert_eq!(bar.chars().count(), 14, "{line}");
        }
        assert!(lines.iter().any(|line| line.contains("dtz Black attacks")), "{text}");
    }

    #[test]
    fn a_speed_is_that_of_positions_decided_now() {
        let console = Console::new(Arc::default());
        let material: Material = "KRvKM".parse().unwrap();
        console.begin(&[Unbuilt { material, metrics: material.tables().map(|id| id.metric).collect() }]);
        console.material(material);
        let table = TableId { material, metric: Metric::Dtm };
        let resumed = CheckpointEvent::Resumed { attacker: Color::White, moves: 7, positions: 144_200_000 };
        console.checkpoint(table, &resumed);
        console.exits(Metric::Dtm, Color::White, 1, 2);
        assert_eq!(console.bar.message(), "dtm White's exits, 1 of 2 slabs, 144.2M positions");
        console.phase(Metric::Dtm, Color::White);
        console.decided(7, 1_000_000);
        let message = console.bar.message();
        assert!(message.starts_with("dtm White attacks, move 7, 145.2M positions, ") && message.ends_with("/s"));
        console.written(1, 2);
        assert_eq!(console.bar.message(), "writing, 145.2M positions");
    }

    #[test]
    fn the_time_left_is_unknown_at_first() {
        let left = |done| time_left(Duration::from_secs(60), done, 10_000);
        assert_eq!([0, 5, 5000].map(left), ["time left unknown", "time left unknown", "60s left"]);
        assert_eq!(time_left(Duration::from_secs(1), 5000, 10_000), "time left unknown");
    }

    #[test]
    fn a_quiet_console_shows_nothing() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 250);
        let console = Console::on(target, true, Arc::default()).quiet();
        build(&console, "KRvKM".parse().unwrap(), || console.bar.tick());
        assert_eq!(*lock(&terminal.0), "");
    }
}
