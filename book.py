"""The chapters of the book, in order: the one list that everything else reads.

Numbers follow from the order; the word of a chapter stays. CONTRIBUTING.md says what else a new
chapter takes.

>>> CHAPTERS["translation"].slug
'05-translation'
"""

from dataclasses import dataclass

PARTS = {
    "Part I · The derivation": {
        "attention": "The position problem",
        "counting": "Counting",
        "binary": "Binary",
        "sinusoid": "The sinusoid",
        "translation": "Sine and cosine: translation",
        "properties": "What the encoding knows",
        "learned": "Learned embeddings",
    },
    "Part II · At work": {
        "adding": "Adding it in",
        "skipping": "What if we skip it?",
        "reach": "How far does it reach?",
    },
    "Part III · Beyond absolute positions": {
        "relative": "Relative positions",
        "rotary": "Rotary positions",
        "debugging": "Debugging",
    },
    "Part IV · In today’s models": {
        "axes": "More than one axis",
        "config": "What the config decides",
        "running": "In a running program",
        "eviction": "When the cache is full",
    },
}


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number, the word that names its files, its title, and its part."""

    number: int | None
    word: str
    title: str
    part: str

    @property
    def slug(self):
        """The name of its notebooks: "05-translation"."""
        return f"{self.number:02}-{self.word}" if self.number else self.word

    @property
    def heading(self):
        """Its title, with its number: "5. Sine and cosine: translation"."""
        return f"{self.number}. {self.title}" if self.number else self.title


CHAPTERS = {
    word: Chapter(number, word, title, part)
    for number, (part, word, title) in enumerate(
        ((part, *each) for part, chapters in PARTS.items() for each in chapters.items()), start=1
    )
}

# What has slides: the tour, which has no number, and the chapters.
LECTURES = (
    Chapter(None, "tour", "The whole idea in one sitting", ""),
    *CHAPTERS.values(),
)
