"""The eight hands that tell a video model the time, and when four of them start over."""

import traitlets

from figures.base import Figure, IntTrait, bundle

TRAINED = 33  # latent frames of a clip in training: 129 frames of video
SLOWED = 2 * TRAINED  # latent frames in which the slowed pair makes its turn


class VideoClock(Figure):
    """The eight hands that tell a video model the time, and when four of them start over."""

    _esm = bundle("video_clock.js", TRAINED=TRAINED, SLOWED=SLOWED)
    alt = (
        "Eight dials with a hand each, at latent frame 50. The hands of pairs 0 to 3 point to "
        "twelve, where they began; those of pairs 4 to 7 have made a half, a quarter, an eighth "
        "and a sixteenth of a turn. Wide gray arcs mark how far each turned in the trained clips."
    )
    frame = IntTrait(50, min=0, max=80).tag(sync=True, public=True)
    slowed = traitlets.Bool(False).tag(sync=True, public=True)
