//! SM2 and the others under an equal load: the share of a core that they take, and what their memory does.

use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use super::public_key::{PublicKeySubjects, SHORT_MESSAGE, sign, verify};
use crate::Error;
use crate::child::{Repeating, Task};
use crate::clock::Stopwatch;
use crate::options::Profile;
use crate::result::{GrowthRow, LoadRow};
use crate::runner::{Bench, local};
use crate::subjects::{Candidate, Signatures, Subject, aws_lc, shangmi};

/// Requests a second that each is offered: what RSA-2048 can sign on most machines.
const RATE: u64 = 1000;

/// Requests are served in bursts this far apart, so that sleeping and waking hardly count.
const TICK: Duration = Duration::from_millis(10);

type Scheme = Candidate<Rc<dyn Signatures>>;

/// How long a load lasts.
fn duration(profile: Profile) -> Duration {
    match profile {
        Profile::Smoke => Duration::from_millis(30),
        Profile::Quick => Duration::from_millis(300),
        Profile::Full => Duration::from_secs(2),
    }
}

/// How often an operation is repeated to see whether memory grows, and the processor time after which that ends.
fn repetitions(profile: Profile) -> (u64, Duration) {
    match profile {
        Profile::Smoke => (200, Duration::from_millis(200)),
        Profile::Quick => (50_000, Duration::from_millis(1200)),
        Profile::Full => (1_000_000, Duration::from_secs(600)),
    }
}

/// Our SM2, and AWS-LC's code for the algorithm.
fn scheme<'a>(schemes: &'a [Scheme], algorithm: &str) -> Option<&'a Scheme> {
    let library = if algorithm == "SM2" {
        shangmi::NAME
    } else {
        aws_lc::NAME
    };
    schemes
        .iter()
        .find(|scheme| scheme.subject.algorithm == algorithm && scheme.subject.library == library)
}

/// The share of a core that each takes at the same rate of requests; nothing where a thread's time cannot be told.
///
/// # Errors
/// [`Error::Operation`] when one fails.
pub(crate) fn shares(
    profile: Profile,
    subjects: &PublicKeySubjects,
) -> Result<Vec<LoadRow>, Error> {
    if !cfg!(unix) {
        return Ok(Vec::new());
    }
    let length = SHORT_MESSAGE as usize;
    let lasting = duration(profile);
    let idle = serve(local(|_| true).as_mut(), lasting)?;
    let mut rows = Vec::new();
    let mut add = |operation, subject: &Subject, bench: Option<Box<dyn Bench>>| {
        let Some(mut bench) = bench else {
            return Err(Error::Operation);
        };
        rows.push(row(
            operation,
            subject,
            &serve(bench.as_mut(), lasting)?,
            &idle,
        ));
        Ok(())
    };
    let all = ["SM2", "P-256", "RSA-2048"].map(|name| scheme(&subjects.signatures, name));
    for scheme in all.into_iter().flatten() {
        let bench = sign(Rc::clone(&scheme.object), length);
        add("sign", &scheme.subject, Some(bench))?;
    }
    let [sm2, others @ ..] = all;
    let prepared = scheme(&subjects.prepared, "SM2");
    for scheme in [sm2, prepared].into_iter().chain(others).flatten() {
        let bench = verify(Rc::clone(&scheme.object), length);
        add("verify", &scheme.subject, bench)?;
    }
    Ok(rows)
}

fn row(operation: &str, subject: &Subject, served: &Served, idle: &Served) -> LoadRow {
    LoadRow {
        algorithm: subject.algorithm.clone(),
        variant: subject.variant.clone(),
        subject: subject.library.clone(),
        side: subject.side,
        operation: operation.to_owned(),
        offered_per_second: RATE as f64,
        served: served.requests,
        wall_seconds: served.wall.as_secs_f64(),
        cpu_seconds: served.cpu.as_secs_f64(),
        idle_share: idle.cpu.as_secs_f64() * RATE as f64 / idle.requests as f64,
    }
}

struct Served {
    requests: u64,
    wall: Duration,
    cpu: Duration,
}

/// Offers [`RATE`] requests a second for `lasting`: those that are due are served at the start of each tick, then the
/// thread sleeps. Where they take longer than that, the rest is given up after twice the time.
fn serve(bench: &mut dyn Bench, lasting: Duration) -> Result<Served, Error> {
    let ticks = lasting.div_duration_f64(TICK).ceil() as u32;
    let each = (RATE as f64 * TICK.as_secs_f64()).round() as u64;
    let (start, watch) = (Instant::now(), Stopwatch::start());
    let mut requests = 0;
    for tick in 1..=ticks {
        bench.run(each)?;
        requests += each;
        if start.elapsed() > lasting * 2 {
            break;
        }
        thread::sleep((TICK * tick).saturating_sub(start.elapsed()));
    }
    Ok(Served {
        requests,
        wall: start.elapsed(),
        cpu: Duration::from_nanos(watch.nanoseconds()),
    })
}

/// Memory before and after many signatures and verifications by SM2 and RSA-2048, each in a process of its own; all at
/// once, for memory does not mind a busy machine.
///
/// # Errors
/// [`Error::Repeating`] when a process cannot be started or fails.
pub(crate) fn growth(
    profile: Profile,
    subjects: &PublicKeySubjects,
) -> Result<Vec<GrowthRow>, Error> {
    let (operations, limit) = repetitions(profile);
    let mut processes = Vec::new();
    for operation in ["sign", "verify"] {
        for name in ["SM2", "RSA-2048"] {
            let Some(scheme) = scheme(&subjects.signatures, name) else {
                continue;
            };
            processes.push(Repeating::start(&Task {
                operation: operation.to_owned(),
                subject: scheme.subject.clone(),
                operations,
                limit,
            })?);
        }
    }
    let rows = processes.into_iter().map(Repeating::finish);
    let rows: Vec<Option<GrowthRow>> = rows.collect::<Result<_, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_share_is_the_work_and_not_the_waiting() {
        // A tenth of a millisecond at a thousand requests a second is a tenth of a core.
        let mut busy = local(|_| {
            let watch = Stopwatch::start();
            while watch.nanoseconds() < 100_000 {}
            true
        });
        let lasting = Duration::from_millis(200);
        let served = serve(busy.as_mut(), lasting).expect("it cannot fail");
        let share = served.cpu.as_secs_f64() / served.wall.as_secs_f64();
        assert_eq!(served.requests, 200);
        assert!(served.wall >= lasting);
        assert!((0.05..0.13).contains(&share), "{share}");
    }

    #[test]
    fn an_overload_ends() {
        let mut slow = local(|_| {
            thread::sleep(Duration::from_millis(5));
            true
        });
        let start = Instant::now();
        let served = serve(slow.as_mut(), Duration::from_millis(50)).expect("it cannot fail");
        assert!(served.requests < 50, "{}", served.requests);
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}
