//! Two pictures: transitions per core-second of each model, and time against the number of states.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::Failure;
use crate::contender::Contender;
use crate::demands::Evidence;
use crate::summary::{Medians, medians};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const SIZE: (u32, u32) = (1100, 560);
const FONT: (&str, i32) = ("sans-serif", 14);
const NAMES_WIDTH: u32 = 150;

fn colour(contender: Contender) -> RGBColor {
    use crate::contender::Search::*;
    match contender {
        Contender::Crisol { threads: 1 } => RGBColor(178, 34, 34),
        Contender::Crisol { .. } => RGBColor(240, 128, 100),
        Contender::Spin(DepthFirst) => RGBColor(25, 60, 140),
        Contender::Spin(Collapse) => RGBColor(90, 140, 210),
        Contender::Spin(ParallelBreadthFirst) => RGBColor(165, 200, 235),
        Contender::Stateright { threads: 1 } => RGBColor(40, 120, 60),
        Contender::Stateright { .. } => RGBColor(130, 190, 140),
    }
}

/// A contender with its models: the index of each, and the medians.
type Series = (Contender, Vec<(usize, Medians)>);

fn series(evidence: &Evidence) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for (index, model) in evidence.models.iter().enumerate() {
        for contender in evidence.session.contenders(&model.name) {
            let Some(medians) = medians(evidence.session, &model.name, contender) else {
                continue;
            };
            match series.iter_mut().find(|(known, _)| *known == contender) {
                Some((_, points)) => points.push((index, medians)),
                None => series.push((contender, vec![(index, medians)])),
            }
        }
    }
    series
}

pub fn plots(evidence: &Evidence, folder: &Path) -> Result<(), Failure> {
    let series = series(evidence);
    if series.is_empty() {
        return Ok(());
    }
    let path = folder.join("throughput.svg");
    // Each model needs room for a bar of every contender.
    let height = 90 + evidence.models.len() * (series.len() * 8 + 10);
    let size = (SIZE.0, SIZE.1.max(height as u32));
    let area = SVGBackend::new(&path, size).into_drawing_area();
    throughput(evidence, &series, area)?;
    let path = folder.join("time.svg");
    time(&series, SVGBackend::new(&path, SIZE).into_drawing_area())
}

fn throughput(evidence: &Evidence, series: &[Series], area: Area) -> Result<(), Failure> {
    let rate = |m: &Medians| m.transitions_per_core_second / 1e6;
    let points = series.iter().flat_map(|(_, points)| points);
    let highest = points.map(|(_, m)| rate(m)).fold(0.0, f64::max);
    let models = evidence.models.len() as f64;
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Million transitions per core-second", FONT)
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(NAMES_WIDTH)
        // Downwards, as in the tables; room on the right for the legend.
        .build_cartesian_2d(0.0..highest * 1.3, models..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (index, model) in evidence.models.iter().enumerate() {
        let (_, y) = chart.backend_coord(&(0.0, index as f64 + 0.5));
        area.draw(&Text::new(model.name.as_str(), (10, y - FONT.1 / 2), FONT))?;
    }
    let width = 0.9 / series.len() as f64;
    for (place, (contender, points)) in series.iter().enumerate() {
        let (colour, top) = (colour(*contender), 0.05 + place as f64 * width);
        let bar = |(index, m): &(usize, Medians)| {
            let y = *index as f64 + top;
            Rectangle::new([(0.0, y), (rate(m), y + width)], colour.filled())
        };
        chart
            .draw_series(points.iter().map(bar))?
            .label(contender.to_string())
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)?;
    Ok(area.present()?)
}

fn time(series: &[Series], area: Area) -> Result<(), Failure> {
    let points = || {
        series
            .iter()
            .flat_map(|(_, points)| points.iter().map(|(_, m)| *m))
    };
    let states = around(points().map(|m| m.counts.states as f64));
    let seconds = around(points().map(|m| m.wall_seconds));
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Time against number of states", FONT)
        .margin(10)
        .x_label_area_size(50)
        .y_label_area_size(60)
        .build_cartesian_2d(states.log_scale(), seconds.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("states")
        .y_desc("seconds")
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|x| format!("{x:e}"))
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    for (contender, points) in series {
        let colour = colour(*contender);
        let point = |(_, m): &(usize, Medians)| {
            let centre = (m.counts.states as f64, m.wall_seconds);
            Circle::new(centre, 5, colour.filled())
        };
        chart
            .draw_series(points.iter().map(point))?
            .label(contender.to_string())
            .legend(move |(x, y)| Circle::new((x + 6, y), 5, colour.filled()));
    }
    legend(&mut chart, SeriesLabelPosition::UpperLeft)?;
    Ok(area.present()?)
}

/// A range with some room on both sides.
fn around(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    low / 2.0..high * 2.0
}

fn legend<'a, 'b, X, Y>(
    chart: &mut ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>,
    position: SeriesLabelPosition,
) -> Result<(), Failure>
where
    'b: 'a,
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    Ok(())
}
