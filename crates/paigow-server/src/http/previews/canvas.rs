//! Drawing of preview pictures: rectangles, text as outlines of the page's fonts, and cards.

use super::super::assets::embedded;
use paigow::{Card, Color};
use tiny_skia::{Color as Rgb, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Transform};
use ttf_parser::{Face, OutlineBuilder};

/// Size of a preview in pixels, as social networks recommend for large pictures.
pub(super) const WIDTH: u32 = 1200;
pub(super) const HEIGHT: u32 = 630;

/// Colors of the pictures, as in the dark theme of the page.
pub(super) const FELT: [u8; 3] = [0x12, 0x3d, 0x31];
pub(super) const IVORY: [u8; 3] = [0xf4, 0xee, 0xdf];
pub(super) const BRASS: [u8; 3] = [0xe0, 0xb6, 0x5c];
const RAIL: [u8; 3] = [0x2a, 0x1a, 0x12];
const CARD: [u8; 3] = [0xfb, 0xf8, 0xf0];
const RED: [u8; 3] = [0xb3, 0x1f, 0x2b];
const BLACK: [u8; 3] = [0x16, 0x1a, 0x1d];

/// A font of the page.
#[derive(Clone, Copy)]
pub(super) enum Font {
    Serif,
    Sans,
}

/// A picture that is drawn.
pub(super) struct Canvas {
    pixmap: Pixmap,
}

impl Canvas {
    /// Creates a picture of felt with a rail around it, or returns `None` if there is no memory for it.
    pub(super) fn new() -> Option<Canvas> {
        let mut canvas = Canvas { pixmap: Pixmap::new(WIDTH, HEIGHT)? };
        let [red, green, blue] = RAIL;
        canvas.pixmap.fill(Rgb::from_rgba8(red, green, blue, 255));
        canvas.rectangle((22.0, 22.0), (WIDTH as f32 - 44.0, HEIGHT as f32 - 44.0), 28.0, FELT);
        Some(canvas)
    }

    /// Fills a rectangle with round corners.
    pub(super) fn rectangle(
        &mut self,
        (x, y): (f32, f32),
        (width, height): (f32, f32),
        radius: f32,
        color: [u8; 3],
    ) {
        let (right, bottom) = (x + width, y + height);
        let mut path = PathBuilder::new();
        path.move_to(x + radius, y);
        path.line_to(right - radius, y);
        path.quad_to(right, y, right, y + radius);
        path.line_to(right, bottom - radius);
        path.quad_to(right, bottom, right - radius, bottom);
        path.line_to(x + radius, bottom);
        path.quad_to(x, bottom, x, bottom - radius);
        path.line_to(x, y + radius);
        path.quad_to(x, y, x + radius, y);
        path.close();
        self.fill(path.finish(), Transform::identity(), color);
    }

    /// Writes a line of text that ends before the right rail. `y` is its baseline. Returns its width.
    pub(super) fn text(
        &mut self,
        font: Font,
        size: f32,
        (x, y): (f32, f32),
        color: [u8; 3],
        text: &str,
    ) -> f32 {
        let Some(face) = face(font) else { return 0.0 };
        let scale = size / f32::from(face.units_per_em());
        let mut outline = Outline { path: PathBuilder::new(), offset: 0.0 };
        for letter in text.chars() {
            // Letters that the font does not have are left out.
            let Some(glyph) = face.glyph_index(letter) else { continue };
            let advance = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
            if x + (outline.offset + advance) * scale > WIDTH as f32 - 50.0 {
                break;
            }
            face.outline_glyph(glyph, &mut outline);
            outline.offset += advance;
        }
        let width = outline.offset * scale;
        // Fonts have the y axis upwards.
        let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, y);
        self.fill(outline.path.finish(), place, color);
        width
    }

    /// Draws a card of this width.
    pub(super) fn card(&mut self, card: Card, (x, y): (f32, f32), width: f32) {
        let height = width * 1.4;
        self.rectangle((x + 3.0, y + 5.0), (width, height), width * 0.09, [0x0a, 0x24, 0x1d]);
        self.rectangle((x, y), (width, height), width * 0.09, CARD);
        let text = card.to_string();
        let Some((rank, suit)) = text.split_at_checked(1).filter(|_| card != Card::JOKER) else {
            self.text(Font::Serif, width * 0.9, (x + width * 0.17, y + height * 0.62), RED, "★");
            self.text(Font::Sans, width * 0.2, (x + width * 0.24, y + height * 0.88), BLACK, "Joker");
            return;
        };
        let color = if card.color() == Some(Color::Red) { RED } else { BLACK };
        let rank = if rank == "T" { "10" } else { rank };
        let suit = match suit {
            "c" => "♣",
            "d" => "♦",
            "h" => "♥",
            _ => "♠",
        };
        self.text(Font::Serif, width * 0.46, (x + width * 0.1, y + height * 0.3), color, rank);
        self.text(Font::Serif, width * 0.78, (x + width * 0.3, y + height * 0.88), color, suit);
    }

    fn fill(&mut self, path: Option<Path>, place: Transform, [red, green, blue]: [u8; 3]) {
        let Some(path) = path else { return };
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(red, green, blue, 255);
        self.pixmap.fill_path(&path, &paint, FillRule::Winding, place, None);
    }

    /// Draws a line of this width across the picture.
    pub(super) fn rule(&mut self, y: f32, color: [u8; 3]) {
        let path = Rect::from_xywh(64.0, y, WIDTH as f32 - 128.0, 2.0).map(PathBuilder::from_rect);
        self.fill(path, Transform::identity(), color);
    }

    /// Encodes the picture as PNG.
    pub(super) fn into_png(self) -> Option<Vec<u8>> {
        self.pixmap.encode_png().ok()
    }
}

/// Whether the font of headings has every letter of a text.
pub(super) fn has_letters(text: &str) -> bool {
    face(Font::Serif).is_some_and(|face| text.chars().all(|letter| face.glyph_index(letter).is_some()))
}

fn face(font: Font) -> Option<Face<'static>> {
    let path = match font {
        Font::Serif => "fonts/serif.otf",
        Font::Sans => "fonts/sans.ttf",
    };
    Face::parse(embedded(path)?, 0).ok()
}

/// Collects the outlines of a line of text.
struct Outline {
    path: PathBuilder,
    /// Start of the current letter, in units of the font.
    offset: f32,
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x + self.offset, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x + self.offset, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(x1 + self.offset, y1, x + self.offset, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let at = self.offset;
        self.path.cubic_to(x1 + at, y1, x2 + at, y2, x + at, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
