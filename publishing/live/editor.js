// What the page has from npm, bundled into one file by publishing/live: the editor of a cell (CodeMirror with
// Python), and DOMPurify.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import DOMPurify from "dompurify";

// Code has the colors of the page's own: the style of Pygments knows these names.
const colors = tagHighlighter([
  { tag: [tags.keyword, tags.bool], class: "k" },
  { tag: tags.string, class: "s1" },
  { tag: tags.number, class: "mi" },
  { tag: tags.operator, class: "o" },
  { tag: tags.comment, class: "c1" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "nf" },
]);

// On a phone long lines break, and how deep a line begins is where they hang (book.css).
const depths = EditorView.decorations.compute(["doc"], ({ doc }) => {
  const depth = (text) => Decoration.line({ attributes: { style: `--in: ${text.search(/\S|$/)}ch` } });
  const lines = Array.from({ length: doc.lines }, (_, k) => doc.line(k + 1));
  return Decoration.set(lines.map(({ from, text }) => depth(text).range(from)));
});
const isPhone = matchMedia("(width < 600px)").matches;

// Returns what a cell shows as elements that run no script.
export const harmless = (markup) => DOMPurify.sanitize(markup, { RETURN_DOM: true });

// `label` is for screen readers. Shift+Enter runs; Escape leaves, because Tab indents.
export const editor = ({ parent, text, label, run, leave, changed }) => {
  const does = (act) => () => {
    act();
    return true;
  };
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Shift-Enter", run: does(run) },
          { key: "Mod-Enter", run: does(run) },
          { key: "Escape", run: does(leave) },
          indentWithTab,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        isPhone ? [EditorView.lineWrapping, depths] : [],
        syntaxHighlighting(colors),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), // what scrolls has the focus
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
};
