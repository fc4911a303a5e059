"""Cut the font of the formulas from STIX Two Math: `python tools/mathfont.py FILE`.

FILE is the font in any format (on npm: `@fontsource/stix-two-math`; SIL Open Font License). Of its
5,000 glyphs the book keeps some 600: 45 KB instead of 400.
"""

import string
import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[1] / "site" / "fonts" / "stix-two-math-part-400-normal.woff2"
GREEK = "ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρστυφχψωϕϑϵ"
# A single letter in a formula is drawn by its italic twin in the mathematical alphabets; h has an
# older one.
ITALIC = "".join(map(chr, [*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)])) + "ℎ"
SIGNS = (
    "±×÷·…′″‴−∓∗∘∙√∝∞∠∣∥∧∨∩∪∫∼≃≅≈≠≡≤≥≪≫"
    "⊂⊃⊆⊇⊕⊖⊗⊙⊤⊥⋅⋆⋮⋯⋱⌈⌉⌊⌋⟨⟩∀∂∃∅∇∈∉∏∑←↑→↓↔↦⇐⇒⇔ℝℕℤℂ⏟⏞¯‾ˉ\u0302\u0303\u0305\u20d7"
)
# Where the font follows the rules of MathML rather than those of TeX. A browser lowers the index of
# p, which has a descender, more than that of x; and it raises an exponent over a bracket. Fractions
# within a line are set closer.
CONSTANTS = {
    "SubscriptBaselineDropMin": -60,
    "SuperscriptBaselineDropMax": 390,
    "FractionNumeratorShiftUp": 430,
    "FractionDenominatorShiftDown": 430,
}


def narrow(font, glyph, width):
    """Squeeze a glyph that is wider than `width`."""
    advance, left = font["hmtx"][glyph]
    if advance > width:
        glyphs = font.getGlyphSet()
        pen = TTGlyphPen(glyphs)
        glyphs[glyph].draw(TransformPen(pen, (width / advance, 0, 0, 1, 0, 0)))
        font["glyf"][glyph] = pen.glyph()
        font["hmtx"][glyph] = (width, round(left * width / advance))


if __name__ == "__main__":
    options = subset.Options(flavor="woff2", layout_features=["ssty"], name_IDs=[0, 1, 2, 13, 14])
    font = TTFont(sys.argv[1])
    cutter = subset.Subsetter(options)
    cutter.populate(text=string.printable + GREEK + ITALIC + SIGNS)
    cutter.subset(font)
    math = font["MATH"].table
    for name, value in CONSTANTS.items():
        getattr(math.MathConstants, name).Value = value
    # Chromium keeps room for the widest of a sign's sizes, and shows it as a gap behind every root.
    signs, sizes = math.MathVariants.VertGlyphCoverage, math.MathVariants.VertGlyphConstruction
    for sign, taller in zip(signs.glyphs, sizes, strict=True):
        parts = taller.GlyphAssembly.PartRecords if taller.GlyphAssembly else []
        tall = [each.VariantGlyph for each in taller.MathGlyphVariantRecord]
        for glyph in [*tall, *(part.glyph for part in parts)]:
            narrow(font, glyph, font["hmtx"][sign][0])
    subset.save_font(font, TARGET, options)
