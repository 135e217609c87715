//! One run of a program, and what it took by the kernel's own account.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How long a program may take to come to an end after it was asked to.
const GRACE: &str = "--kill-after=60";

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    pub wall_seconds: f64,
    pub user_seconds: f64,
    pub system_seconds: f64,
    /// Of the largest process, where there are several.
    pub peak_bytes: u64,
}

impl Cost {
    pub fn core_seconds(&self) -> f64 {
        self.user_seconds + self.system_seconds
    }

    fn add(&mut self, usage: &libc::rusage) {
        self.user_seconds += seconds(usage.ru_utime);
        self.system_seconds += seconds(usage.ru_stime);
        // Linux counts in units of 1024 bytes.
        self.peak_bytes = self.peak_bytes.max(usage.ru_maxrss as u64 * 1024);
    }
}

pub struct Measured {
    pub cost: Cost,
    /// What it printed, errors included.
    pub output: String,
    pub status: ExitStatus,
}

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    Wall(Duration),
    /// Of the one process, so that neighbours on the machine do not cut it short.
    Core(Duration),
}

/// Runs a program; at its limit it gets the signal of Ctrl-C, at which all checkers here print what they have.
pub fn measure(program: &Path, arguments: &[String], limit: Limit) -> io::Result<Measured> {
    adopt_orphans()?;
    let (file, reader) = scratch()?;
    let mut command = limited(program, limit);
    command
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    let start = Instant::now();
    let child = command.spawn()?;
    if let Limit::Core(limit) = limit {
        interrupt_after(child.id(), limit);
    }
    let (mut cost, mut status) = (Cost::default(), ExitStatus::default());
    while let Some(end) = next_end()? {
        cost.add(&end.usage);
        cost.wall_seconds = start.elapsed().as_secs_f64();
        if end.process == child.id() {
            status = end.status;
        }
    }
    Ok(Measured {
        cost,
        output: io::read_to_string(reader)?,
        status,
    })
}

fn limited(program: &Path, limit: Limit) -> Command {
    let Limit::Wall(limit) = limit else {
        return Command::new(program);
    };
    let mut command = Command::new("timeout");
    let seconds = limit.as_secs_f64().to_string();
    command.args(["--signal=INT", GRACE, &seconds]).arg(program);
    command
}

/// Looks now and then at what a process has used, until it has used enough or is gone.
fn interrupt_after(process: u32, limit: Duration) {
    std::thread::spawn(move || {
        while let Some(used) = core_time(process) {
            if used >= limit {
                // SAFETY: takes two integers and touches no memory of ours.
                unsafe { libc::kill(process as libc::pid_t, libc::SIGINT) };
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
}

/// User and system time of a process that has not been waited for yet.
fn core_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name may have anything in it but ends with the last parenthesis; the times are fields 14 and 15.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    // SAFETY: takes one integer and touches no memory.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Some(Duration::from_secs_f64(ticks as f64 / per_second as f64))
}

/// A pipe would have to be emptied while the program runs.
fn scratch() -> io::Result<(OwnedFd, File)> {
    let path = std::env::temp_dir().join(format!("crisol-perf-{}", std::process::id()));
    let write = File::create(&path)?;
    let read = File::open(&path)?;
    std::fs::remove_file(&path)?;
    Ok((write.into(), read))
}

/// SPIN's parallel search leaves its second process behind. As we are its next of kin, its time is counted, too.
fn adopt_orphans() -> io::Result<()> {
    // SAFETY: this option takes one integer and touches no memory.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

struct End {
    process: u32,
    status: ExitStatus,
    usage: libc::rusage,
}

/// Waits for the end of a process that we started or adopted; `None` if there is none left.
fn next_end() -> io::Result<Option<End>> {
    let mut status = 0;
    // SAFETY: all fields are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals that outlive the call.
    let ended = unsafe { libc::wait4(-1, &raw mut status, 0, &raw mut usage) };
    if let Ok(process) = u32::try_from(ended) {
        let status = ExitStatus::from_raw(status);
        return Ok(Some(End {
            process,
            status,
            usage,
        }));
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ECHILD) => Ok(None),
        _ => Err(error),
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// Runs a command that must succeed, such as a compiler.
pub fn must(command: &mut Command) -> Result<String, crate::Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed:\n{text}{errors}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Limit) -> Measured {
        let arguments = ["-c".to_owned(), script.to_owned()];
        measure(Path::new("sh"), &arguments, limit).expect("sh runs")
    }

    // One test: a wait for any child would take the other's.
    #[test]
    fn orphans_are_counted_and_limits_are_kept() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let both = shell(
            &format!("({busy}) & echo started"),
            Limit::Wall(Duration::from_secs(60)),
        );
        assert_eq!(both.output, "started\n");
        assert!(both.cost.core_seconds() > 0.02, "{:?}", both.cost);

        let stopped = shell(
            "trap 'echo stopped; exit' INT; sleep 20",
            Limit::Wall(Duration::from_millis(300)),
        );
        assert_eq!(stopped.output, "stopped\n");
        assert!(stopped.cost.wall_seconds < 10.0, "{:?}", stopped.cost);

        let worked = shell(
            "trap 'echo stopped; exit' INT; while :; do :; done",
            Limit::Core(Duration::from_millis(200)),
        );
        assert_eq!(worked.output, "stopped\n");
        assert!(worked.cost.core_seconds() >= 0.15, "{:?}", worked.cost);
    }
}
