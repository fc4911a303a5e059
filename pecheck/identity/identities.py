"""What `identify` answers."""

from dataclasses import dataclass

from pecheck.sentences import SUMMARIES


@dataclass(frozen=True)
class Identity:
    """What a table is.

    layout : "interleaved", "cosine first", "concatenated" or "concatenated, cosine first"; of
    frequencies "frequencies alone", of a rotary cache "cosines alone" or "sines alone", of ALiBi
    "slopes".
    spacing : how the exponents grow: "paper" (2i/d_model), "endpoint", "even width" (at an odd
    width 2i/(d_model + 1): the table of the width above, less its last column), "exponent over
    512" for another width, or the name of a mistake.
    base : the one that this spacing needs.
    first_position, scale : of the first row, and of all entries.
    bug : the name of a mistake in `pecheck.variants.VARIANTS`, "another width", "never
    filled" of frequencies, what was rounded of a rotary cache, or None.
    conventions : choices that differ from the paper's but are not mistakes: names in `VARIANTS`,
    "even width", the forms of a rotary cache, the size of a grid, how frequencies were stretched.
    error : the largest difference from the named table, as a part of the scale.
    also : other formulas that give the same rows.
    """

    layout: str
    spacing: str
    base: float
    first_position: int
    scale: float
    bug: str | None
    conventions: tuple[str, ...]
    error: float
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The mistake, else the conventions, else "paper"."""
        return self.bug or " + ".join(self.conventions) or "paper"

    def __str__(self) -> str:
        """One line for each thing that was found."""
        what = f"{self.layout}, {self.spacing} spacing, base {self.base:.6g}, first position "
        what += f"{self.first_position}, scale {self.scale:.4g}"
        what = "one number for each head" if self.layout == "slopes" else what
        lines = [f"{self.name}: {what}", f"largest error {self.error:.1e}"]
        if self.bug:
            lines.append(SUMMARIES[self.bug])
            lines += [f"and {each}" for each in self.conventions]
        if self.also:
            same = "frequencies" if self.layout == "frequencies alone" else "rows"
            lines.append(f"the same {same}: " + "; ".join(self.also))
        return "\n".join(lines)
