"""The course of `make grade`, for nbgrader: its programs read this in _build/grading."""

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "positional-encoding"
c.ClearSolutions.enabled = False  # the handout has stubs already
c.OverwriteCells.add_missing_cells = True  # a grade cell that was deleted comes back
c.Execute.timeout = 10  # seconds for a cell
