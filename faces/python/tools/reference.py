"""Writes ``docs/python/reference.md`` from the docstrings and signatures of the package.

``python tools/reference.py`` prints it; a test compares it with the file. Everything is read from the
source text, so that annotations stand as they were written and every version of Python prints the
same page. Only what the native module itself documents is asked of the installed package.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import lookalike
from lookalike import _native

SOURCE = Path(__file__).resolve().parents[1] / "python" / "lookalike"

HEAD = """# Reference

Everything that `import lookalike as la` has. Made from the docstrings by `faces/python/tools/reference.py`; mend them, not this page.
"""

# The page's order: what most people need comes first. A name that is missing here is an error.
PARTS = {
    "Making a release": ["Synthesizer"],
    "What a release can do": ["Release", "Verdict", "Page", "Rows"],
    "Schemas": ["Schema", "Mark", "Check"],
    "Before a release": ["plan", "Plan"],
    "Several releases": ["Ledger", "Account"],
    "For the steward": ["evaluate", "Evaluation"],
    "Audits": ["audit", "Audit"],
    "To try things on": ["demo_table", "demo_schema"],
    "Methods": ["Method", "Auto", "Mst", "Aim", "PrivBayes", "PbPgm", "PrivMrf", "PrivBayesNist", "Independent", "Histogram"],
    "Errors": ["LookalikeError", "SchemaError", "SettingError", "DataError", "BudgetError", "InternalError"],
    "The version": ["__version__"],
}

# Special methods that a user calls through an operator or a built-in function.
SPECIAL = {"__getitem__": "[...]", "__len__": "len()", "__iter__": "for ... in", "__bool__": "if ..."}


class Module:
    """A source file and the definitions at its top."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.found = {it.name: it for it in ast.parse(self.text).body if isinstance(it, (ast.ClassDef, ast.FunctionDef))}

    def of(self, node: ast.AST) -> str:
        return " ".join((ast.get_source_segment(self.text, node) or "").split())


def modules() -> dict[str, Module]:
    """Each public name with the module that defines it."""
    found = {}
    for path in sorted(SOURCE.glob("*.py")):
        module = Module(path)
        found.update({name: module for name in module.found if name in lookalike.__all__})
    return found


# Docstrings as Markdown.


def markdown(text: str | None) -> str:
    """A docstring as Markdown: code marks, examples as blocks, and parameters as a table."""
    blocks = inspect.cleandoc(text or "").replace("``", "`").split("\n\n")
    parts: list[str] = []
    for block in blocks:
        lines = block.splitlines()
        if len(lines) > 1 and set(lines[1]) == {"-"}:
            heading, lines = lines[0], lines[2:]
            if heading == "Parameters":
                parts.append(parameters(lines))
                continue
        if lines and lines[0].startswith(">>>"):
            parts.append("```python\n" + "\n".join(lines) + "\n```")
        elif lines:
            parts.append(" ".join(line.strip() for line in lines))
    return "\n\n".join(parts)


def parameters(lines: list[str]) -> str:
    """The section of that name: a name at the margin, its text indented below."""
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith(" "):
            rows[-1][1] += " " + line.strip()
        else:
            rows.append([", ".join(f"`{name.strip()}`" for name in line.split(",")), ""])
    return table(["parameter", "what it is"], [[name, text.strip()] for name, text in rows])


def table(head: list[str], rows: list[list[str]]) -> str:
    cells = [head, ["---"] * len(head)] + rows
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells)


# Signatures.


def signature(module: Module, name: str, node: ast.FunctionDef | None, bound: bool) -> str:
    """The call as the source has it, on one line or with one parameter a line."""
    if node is None:
        return f"{name}()"
    given = node.args
    every = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(every) - len(given.defaults)) + list(given.defaults)
    parts = [parameter(module, arg, default) for arg, default in zip(every, defaults)][1 if bound else 0 :]
    if given.vararg:
        parts.append("*" + parameter(module, given.vararg, None))
    elif given.kwonlyargs:
        parts.append("*")
    parts += [parameter(module, arg, default) for arg, default in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        parts.append("**" + parameter(module, given.kwarg, None))
    result = f" -> {module.of(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def parameter(module: Module, arg: ast.arg, default: ast.expr | None) -> str:
    words = arg.arg
    if arg.annotation is not None:
        words += f": {module.of(arg.annotation)}"
    if default is not None:
        words += f" = {module.of(default)}" if arg.annotation is not None else f"={module.of(default)}"
    return words


# Classes and functions.


def documented(body: list[ast.stmt]) -> list[tuple[ast.stmt, str]]:
    """Statements with the text that stands right below them."""
    return [
        (one, inspect.cleandoc(two.value.value))
        for one, two in zip(body, body[1:])
        if isinstance(two, ast.Expr) and isinstance(two.value, ast.Constant) and isinstance(two.value.value, str)
    ]


def attributes(module: Module, node: ast.ClassDef) -> list[list[str]]:
    """Attributes: annotated ones, those of ``__init__``, and properties."""
    rows = []
    for statement, text in documented(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            rows.append([f"`{statement.target.id}`", f"`{module.of(statement.annotation)}`", flat(text)])
    first = function_of(node, "__init__")
    if first is not None:
        known = {arg.arg: module.of(arg.annotation) for arg in [*first.args.args, *first.args.kwonlyargs] if arg.annotation}
        for statement, text in documented(first.body):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
                kind = known.get(module.of(statement.value))
                rows.append([f"`{statement.targets[0].attr}`", f"`{kind}`" if kind else "", flat(text)])
    for it in functions(node):
        if is_property(it):
            kind = module.of(it.returns) if it.returns else ""
            rows.append([f"`{it.name}`", f"`{kind}`", flat(ast.get_docstring(it) or "")])
    return rows


def flat(text: str) -> str:
    return " ".join(text.replace("``", "`").split())


def functions(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [it for it in node.body if isinstance(it, ast.FunctionDef)]


def function_of(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((it for it in functions(node) if it.name == name), None)


def decorators(node: ast.FunctionDef) -> list[str]:
    return [it.id for it in node.decorator_list if isinstance(it, ast.Name)]


def is_property(node: ast.FunctionDef) -> bool:
    return "property" in decorators(node) and not node.name.startswith("_")


def class_page(name: str, module: Module, node: ast.ClassDef) -> str:
    bases = [module.of(base) for base in node.bases]
    parts = [f"### {name}"]
    if "Method" in bases:
        return "\n\n".join([*parts, markdown(ast.get_docstring(node)), settings(module, node)])
    if bases and "NamedTuple" not in bases:
        parts.append(f"```python\nclass {name}({', '.join(bases)})\n```")
    elif name == "Synthesizer" or (function_of(node, "__init__") and name in ("Schema", "Ledger")):
        parts.append(f"```python\n{signature(module, name, function_of(node, '__init__'), bound=True)}\n```")
    parts.append(markdown(ast.get_docstring(node)))
    rows = attributes(module, node)
    if rows:
        parts.append(table(["attribute", "type", "what it is"], rows))
    for it in functions(node):
        if is_property(it) or (it.name.startswith("_") and it.name not in SPECIAL):
            continue
        kind = "classmethod" in decorators(it)
        word = f"{name}.{it.name}" + (f": `{SPECIAL[it.name]}`" if it.name in SPECIAL else "")
        parts.append(f"#### {word}".replace("__", "\\_\\_"))
        call = signature(module, f"{name}.{it.name}" if kind else it.name, it, bound=True)
        parts += [f"```python\n{call}\n```", markdown(ast.get_docstring(it))]
    return "\n\n".join(part for part in parts if part)


def settings(module: Module, node: ast.ClassDef) -> str:
    """The settings of a method as a table."""
    rows = []
    for statement, text in documented(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            words, _, default = flat(text).rpartition("; left out: ")
            kind = module.of(statement.annotation).replace(" | None", "")
            rows.append([f"`{statement.target.id}`", f"`{kind}`", f"`{default.rstrip('.')}`", f"{words}."])
    return table(["setting", "type", "left out", "what it is"], rows) if rows else "It has no settings."


def function_page(name: str, module: Module, node: ast.FunctionDef) -> str:
    call = signature(module, name, node, bound=False)
    return "\n\n".join([f"### {name}", f"```python\n{call}\n```", markdown(ast.get_docstring(node))])


def native_page(name: str) -> str:
    """A class of the native module: signatures from its stub, texts from the class itself."""
    stub = Module(SOURCE / "_native.pyi")
    node = stub.found[name]
    there = getattr(_native, name)
    parts = [f"### {name}", markdown(there.__doc__)]
    rows = [
        [f"`{it.target.id}`", f"`{stub.of(it.annotation)}`", flat(getattr(there, it.target.id).__doc__ or "")]
        for it in node.body
        if isinstance(it, ast.AnnAssign) and isinstance(it.target, ast.Name)
    ]
    parts.append(table(["attribute", "type", "what it is"], rows))
    for it in functions(node):
        if not it.name.startswith("_"):
            call = signature(stub, it.name, it, bound=True)
            parts += [f"#### {name}.{it.name}", f"```python\n{call}\n```", markdown(getattr(there, it.name).__doc__)]
    return "\n\n".join(parts)


def text() -> str:
    listed = [name for names in PARTS.values() for name in names]
    if sorted(listed) != sorted(lookalike.__all__):
        raise SystemExit(f"PARTS and lookalike.__all__ differ in {sorted(set(listed) ^ set(lookalike.__all__))}")
    where = modules()
    pages = [HEAD.rstrip(), contents()]
    for part, names in PARTS.items():
        pages.append(f"## {part}")
        for name in names:
            if name == "__version__":
                pages.append("`la.__version__` is the version of the package, the same as the program's.")
            elif name not in where:
                pages.append(native_page(name))
            elif isinstance(where[name].found[name], ast.ClassDef):
                pages.append(class_page(name, where[name], where[name].found[name]))
            else:
                pages.append(function_page(name, where[name], where[name].found[name]))
    return "\n\n".join(pages) + "\n"


def contents() -> str:
    """Links to every name. A heading that differs from an earlier one in case alone gets a number."""
    seen: list[str] = []

    def link(name: str) -> str:
        anchor = "the-version" if name == "__version__" else name.lower()
        seen.append(anchor)
        number = f"-{seen.count(anchor) - 1}" if seen.count(anchor) > 1 else ""
        return f"[`{name}`](#{anchor}{number})"

    return "\n".join(f"- {part}: {', '.join([link(name) for name in names])}" for part, names in PARTS.items())


if __name__ == "__main__":
    print(text(), end="")
