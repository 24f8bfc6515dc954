//! Tests of the queue with jobs that count how often they run.

#![allow(clippy::unwrap_used)] // a panic fails the test

use super::*;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn ip(last: u8) -> IpAddr {
    Ipv4Addr::new(10, 0, 0, last).into()
}

/// A short job that takes 40 ms and returns its text.
fn job(text: &str, counts: &Arc<AtomicUsize>) -> Job {
    let (text, counts) = (text.to_owned(), counts.clone());
    Arc::new(move |_, _| {
        counts.fetch_add(1, Ordering::SeqCst);
        sleep(Duration::from_millis(40));
        Ok(Bytes::from(text.clone()))
    })
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "timed out waiting until {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn is_empty(queue: &Queue) -> bool {
    let state = queue.state();
    let is_idle = state.requests.is_empty() && state.short == 0 && state.long == 0;
    is_idle
        && state.clients.is_empty()
        && state.questions.is_empty()
        && state.by_text.is_empty()
        && state.turns.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_take_turns() {
    let queue = Queue::new(64, 64);
    let counts = Arc::new(AtomicUsize::new(0));
    let flood: Vec<_> = (0..12)
        .map(|n| {
            let (queue, job) = (queue.clone(), job(&n.to_string(), &counts));
            tokio::spawn(async move { queue.ask(ip(1), n.to_string(), job).await })
        })
        .collect();
    until("the flood has begun", || queue.state().requests.client == 12).await;
    let answer = queue.ask(ip(2), "other".to_owned(), job("other", &counts)).await;
    assert_eq!(answer.unwrap(), "other");
    let before = counts.load(Ordering::SeqCst);
    assert!(before <= 5, "{before} questions of the flood ran first");
    for (n, answer) in flood.into_iter().enumerate() {
        assert_eq!(answer.await.unwrap().unwrap(), n.to_string());
    }
    assert!(is_empty(&queue));
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_questions_share_one_computation() {
    let queue = Queue::new(64, 64);
    let counts = Arc::new(AtomicUsize::new(0));
    let asks: Vec<_> = (0..10)
        .map(|n| {
            let (queue, job) = (queue.clone(), job("same", &counts));
            tokio::spawn(async move { queue.ask(ip(n % 3), "same".to_owned(), job).await })
        })
        .collect();
    for ask in asks {
        assert_eq!(ask.await.unwrap().unwrap(), "same");
    }
    assert!(counts.load(Ordering::SeqCst) <= 2, "{counts:?}");
    assert!(is_empty(&queue));
}

#[tokio::test(flavor = "multi_thread")]
async fn background_questions_do_not_count_as_those_of_the_client() {
    let queue = Queue::new(1, 1);
    let counts = Arc::new(AtomicUsize::new(0));
    let ask = |in_background, text: &str| {
        let (queue, job, text) = (queue.clone(), job(text, &counts), text.to_owned());
        tokio::spawn(async move {
            if in_background {
                queue.ask_in_background(ip(1), text, job).await
            } else {
                queue.ask(ip(1), text, job).await
            }
        })
    };
    let held = [ask(false, "a"), ask(true, "b")];
    until("both wait", || queue.state().requests.client == 1 && queue.state().requests.background == 1).await;
    // Background questions have a limit of their own.
    for in_background in [false, true] {
        let refused = ask(in_background, "c").await.unwrap().unwrap_err();
        assert_eq!((refused.status, refused.code.as_str()), (503, "busy"));
    }
    for ask in held {
        assert!(ask.await.unwrap().is_ok());
    }
    assert!(is_empty(&queue));
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_limited_per_client_and_in_total() {
    let queue = Queue::new(4, 2);
    let counts = Arc::new(AtomicUsize::new(0));
    let ask = |client, text: &str| {
        let (queue, job, text) = (queue.clone(), job(text, &counts), text.to_owned());
        tokio::spawn(async move { queue.ask(ip(client), text, job).await })
    };
    let held = [ask(1, "a"), ask(1, "b"), ask(2, "c")];
    until("three wait", || queue.state().requests.client == 3).await;
    let refused = ask(1, "d").await.unwrap().unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (429, "too_many_questions"));
    assert_eq!(refused.retry_seconds, Some(RETRY_SECONDS));
    let last = ask(3, "e");
    until("four wait", || queue.state().requests.client == 4).await;
    let refused = ask(4, "f").await.unwrap().unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (503, "busy"));
    for ask in held {
        assert!(ask.await.unwrap().is_ok());
    }
    assert!(last.await.unwrap().is_ok());
    assert!(is_empty(&queue));
}

/// A long job that runs until it is cancelled, or for two seconds.
fn long(counts: &Arc<AtomicUsize>) -> Job {
    let counts = counts.clone();
    Arc::new(move |effort, cancel| {
        if effort == Effort::Short {
            Cancelled::unwind();
        }
        counts.fetch_add(1, Ordering::SeqCst);
        for _ in 0..400 {
            if cancel.is_cancelled() {
                Cancelled::unwind();
            }
            sleep(Duration::from_millis(5));
        }
        Ok(Bytes::from_static(b"counted"))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn job_is_cancelled_when_the_last_client_leaves() {
    let queue = Queue::new(64, 64);
    let counts = Arc::new(AtomicUsize::new(0));
    let ask = |client| {
        let (queue, job) = (queue.clone(), long(&counts));
        tokio::spawn(async move { queue.ask(ip(client), "long".to_owned(), job).await })
    };
    let (first, second) = (ask(1), ask(2));
    until("the job runs", || queue.state().long == 1).await;
    until("both wait", || queue.state().requests.client == 2).await;
    first.abort();
    until("one left", || queue.state().requests.client == 1).await;
    sleep(Duration::from_millis(30));
    assert_eq!(queue.state().long, 1, "the other client still waits");
    second.abort();
    until("the job stops", || is_empty(&queue)).await;
    assert_eq!(counts.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_long_question_runs_at_a_time_beside_short_ones() {
    let queue = Queue::new(64, 64);
    let counts = Arc::new(AtomicUsize::new(0));
    let ask = |client, text: &'static str| {
        let (queue, job) = (queue.clone(), long(&counts));
        tokio::spawn(async move { queue.ask(ip(client), text.to_owned(), job).await })
    };
    let (first, second) = (ask(1, "one"), ask(1, "two"));
    until("one job runs", || counts.load(Ordering::SeqCst) == 1).await;
    let start = Instant::now();
    let short = queue.ask(ip(1), "short".to_owned(), job("short", &counts)).await;
    assert_eq!(short.unwrap(), "short");
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(queue.state().long, 1);
    first.abort();
    assert_eq!(second.await.unwrap().unwrap(), "counted");
    until("all questions are answered", || is_empty(&queue)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn panicking_question_returns_500_and_queue_continues() {
    let queue = Queue::new(64, 64);
    let broken: Job = Arc::new(|_, _| panic!("a job panics"));
    let problem = queue.ask(ip(1), "broken".to_owned(), broken).await.unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (500, "our_mistake"));
    let counts = Arc::new(AtomicUsize::new(0));
    assert_eq!(queue.ask(ip(1), "next".to_owned(), job("next", &counts)).await.unwrap(), "next");
    assert!(is_empty(&queue));
}
