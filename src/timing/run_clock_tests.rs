use super::*;
use crate::timing::estimate;

fn shell(script: &str, runs: usize) -> ClockCommand {
    ClockCommand {
        program: "sh".into(),
        arguments: ["-c", script].map(OsString::from).into(),
        runs,
        limit: Duration::from_secs(60),
    }
}

/// Lies by 1.75 s and up to 6 ms more or less, after a delay and with another behind it.
const LIAR: &str = r"
seed=$(date +%N); seed=${seed#${seed%???????}}; seed=${seed#${seed%[1-9]*}}
jitter=$(( ${seed:-7} % 13 - 6 ))
sleep 0.00$(( ${seed:-7} % 9 ))
now=$(date +%s%N)
then=$(( now + 1750000000 + jitter * 1000000 ))
sleep 0.00$(( ${seed:-7} % 7 ))
printf '%s.%09d\n' $(( then / 1000000000 )) $(( then % 1000000000 ))
";

/// However slow the machine is, the lie is within what the estimate allows and the jitter.
#[test]
#[cfg(target_os = "linux")]
fn the_lie_of_a_clock_is_found() {
    let samples = run_clock(&shell(LIAR, 25)).unwrap();
    assert_eq!(samples.len(), 25);
    let found = estimate(&samples).unwrap();
    assert!((found.offset - 1_750_000_000).abs() <= found.error + 6_000_000, "{found:?}");
    assert!(found.bound() >= Duration::from_millis(1_744), "{found:?}");
    assert!(found.error <= found.shortest, "{found:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_is_behind_is_found() {
    let samples = run_clock(&shell("date -d '3 seconds ago' +%s.%N", 5)).unwrap();
    let found = estimate(&samples).unwrap();
    assert!((found.offset + 3_000_000_000).abs() <= found.error, "{found:?}");
}

#[test]
fn what_goes_wrong_is_said_with_the_commands_own_words() {
    let missing = ClockCommand { program: "no-such-clock".into(), ..shell("", 1) };
    assert!(run_clock(&missing).unwrap_err().to_string().contains("`no-such-clock` could not be started"));
    let failing = run_clock(&shell("echo 'no route to host' >&2; sleep 0.2; exit 3", 1)).unwrap_err();
    assert!(matches!(failing, ClockError::Failed { run: 1, .. }), "{failing}");
    let silent = run_clock(&shell("exit 0", 1)).unwrap_err().to_string();
    assert!(silent.contains("it printed nothing"), "{silent}");
    let wordy = run_clock(&shell("echo 'Mon Nov 30'", 1)).unwrap_err().to_string();
    assert!(wordy.contains("it printed `Mon Nov 30`"), "{wordy}");
    // A time that is followed by a failure is not believed.
    assert!(matches!(run_clock(&shell("echo 1.5; exit 1", 1)), Err(ClockError::Failed { .. })));
}

#[test]
fn a_command_that_does_not_end_is_ended() {
    let endless = |script| ClockCommand { limit: Duration::from_millis(200), ..shell(script, 1) };
    assert!(matches!(run_clock(&endless("exec sleep 1000")), Err(ClockError::TooSlow { .. })));
    assert!(matches!(run_clock(&endless("echo 1.5; exec sleep 1000")), Err(ClockError::TooSlow { .. })));
    assert!(matches!(run_clock(&endless("exec cat /dev/zero")), Err(ClockError::TooSlow { .. })));
}

#[test]
fn a_process_left_behind_with_the_pipes_does_not_hold_us_up() {
    // It would be too slow otherwise.
    let command = ClockCommand { limit: Duration::from_secs(20), ..shell("sleep 30 & echo 1.5", 1) };
    assert_eq!(run_clock(&command).unwrap()[0].read.nanos, 1_500_000_000);
}
