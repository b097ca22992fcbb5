//! What each device did, and when, as a picture on the page of a profile: a line for its kernels, and one for what was moved to it and from it.

use crate::profile::escape;
use norn_runtime::gpu::{Event, Timeline, What};
use norn_runtime::show_bytes;
use std::fmt::Write;

/// In pixels: how wide a picture is, where lines begin, and how high one is.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 160.0;
const LINE: f64 = 22.0;
/// Neighbours of one colour that are nearer to each other than this are drawn as one.
const NEAR: f64 = 0.3;

/// As SVG; nothing if no device did anything. A kernel is shown by what its site is called.
pub fn draw(timelines: &[Timeline], kernel: &dyn Fn(usize) -> String) -> String {
    let events = || timelines.iter().flat_map(|timeline| &timeline.events);
    let (Some(begin), Some(end)) =
        (events().map(|event| event.begin).min(), events().map(|event| event.end).max())
    else {
        return String::new();
    };
    let scale = (WIDTH - LEFT) / (end - begin).max(1) as f64;
    let height = 2.0 * LINE * timelines.len() as f64 + LINE;
    let mut text = format!(
        "<svg class=timeline viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" font-size=\"12\" fill=\"currentColor\">\n"
    );
    for (at, timeline) in timelines.iter().enumerate() {
        let top = 2.0 * LINE * at as f64;
        let name: String = timeline.device.chars().take(20).collect();
        let _ = writeln!(text, "<text x=0 y=\"{}\">{at}: {}</text>", top + 0.7 * LINE, escape(&name));
        let (kernels, moves): (Vec<&Event>, Vec<&Event>) =
            timeline.events.iter().partition(|event| matches!(event.what, What::Kernel(_)));
        for (line, events) in [kernels, moves].iter().enumerate() {
            for Bar { what, from, to, count } in bars(events, begin, scale) {
                let (name, colour) = match what {
                    What::Kernel(site) => (kernel(site), format!("hsl({},55%,50%)", site * 67 % 360)),
                    What::Sent(bytes) => (format!("{} to the device", show_bytes(bytes)), "#d80".to_string()),
                    What::Received(bytes) => {
                        (format!("{} from the device", show_bytes(bytes)), "#08d".to_string())
                    }
                };
                let times = if count > 1 { format!("{count} times ") } else { String::new() };
                let time = (to - from) / scale / 1e6;
                let (y, high) = (top + LINE * line as f64 + 2.0, LINE - 4.0);
                let _ = writeln!(
                    text,
                    "<rect x=\"{:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{high}\" fill=\"{colour}\"><title>{times}{}, {time:.3} ms</title></rect>",
                    LEFT + from,
                    (to - from).max(0.2),
                    escape(&name)
                );
            }
        }
    }
    let y = height - 0.3 * LINE;
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{y}\">0</text>");
    let span = (end - begin) as f64 / 1e6;
    let _ = writeln!(text, "<text x=\"{WIDTH}\" y=\"{y}\" text-anchor=\"end\">{span:.3} ms</text>\n</svg>");
    text
}

/// Events as they are drawn, in pixels: of those that nobody could distinguish, so many.
struct Bar {
    what: What,
    from: f64,
    to: f64,
    count: u64,
}

fn bars(events: &[&Event], begin: u64, scale: f64) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for event in events {
        let [from, to] = [event.begin, event.end].map(|at| (at - begin) as f64 * scale);
        match bars.last_mut() {
            Some(last) if is_like(last.what, event.what) && (0.0..NEAR).contains(&(from - last.to)) => {
                last.to = to.max(last.to);
                last.count += 1;
                last.what = sum(last.what, event.what);
            }
            _ => bars.push(Bar { what: event.what, from, to, count: 1 }),
        }
    }
    bars
}

/// Whether both have one colour.
fn is_like(one: What, other: What) -> bool {
    match (one, other) {
        (What::Kernel(one), What::Kernel(other)) => one == other,
        (What::Sent(_), What::Sent(_)) | (What::Received(_), What::Received(_)) => true,
        (What::Kernel(_) | What::Sent(_) | What::Received(_), _) => false,
    }
}

fn sum(one: What, other: What) -> What {
    match (one, other) {
        (What::Sent(one), What::Sent(other)) => What::Sent(one + other),
        (What::Received(one), What::Received(other)) => What::Received(one + other),
        (one, _) => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(site: usize, begin: u64, end: u64) -> Event {
        Event { what: What::Kernel(site), begin, end }
    }

    #[test]
    fn events_are_drawn_in_the_line_of_their_device() {
        let sent = Event { what: What::Sent(2048), begin: 0, end: 400 };
        let timelines = [
            Timeline { device: "one <half>".to_string(), events: vec![sent, kernel(3, 400, 1000)] },
            Timeline { device: "the other".to_string(), events: vec![kernel(3, 500, 900)] },
        ];
        let picture = draw(&timelines, &|site| format!("map {site}"));
        assert_eq!(picture.matches("<rect").count(), 3, "{picture}");
        assert_eq!(picture.matches("map 3").count(), 2);
        assert!(
            picture.contains("one &lt;half&gt;") && picture.contains("2.0 KiB to the device"),
            "{picture}"
        );
        assert!(picture.contains("0.001 ms</text>"), "{picture}");
        assert_eq!(draw(&[], &|_| String::new()), "");
    }

    #[test]
    fn events_of_one_pixel_are_drawn_once() {
        let mut events: Vec<Event> = (0..1000).map(|at| kernel(0, 10 * at, 10 * at + 9)).collect();
        events.push(kernel(1, 10_000, 1_000_000));
        let picture = draw(&[Timeline { device: "a".to_string(), events }], &|site| site.to_string());
        assert_eq!(picture.matches("<rect").count(), 2, "{picture}");
        assert!(picture.contains("1000 times 0"), "{picture}");
    }
}
