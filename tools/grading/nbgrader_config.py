"""The course of `make grade`, for nbgrader and Formgrader: they read this in _build/grading."""

from nbgrader import preprocessors as steps
from nbgrader.server_extensions.formgrader import handlers

from tools.grading import preprocessors

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "positional-encoding"
c.ClearSolutions.enabled = False  # the handout has stubs already
c.Execute.timeout = 10  # seconds for a cell
c.Execute.interrupt_on_timeout = False  # code may ignore it
c.Execute.shutdown_kernel = "immediate"
c.Autograde.autograde_preprocessors = [
    preprocessors.Run,
    steps.LimitOutput,
    steps.SaveAutoGrades,
    steps.AssignLatePenalties,
]
# No page runs what a student wrote, whatever the notebook holds, and none asks another host.
c.HTMLExporter.filters = {"markdown2html": preprocessors.markdown_to_html}
c.HTMLExporter.extra_template_basedirs = [str(preprocessors.TEMPLATES), handlers.template_path]
