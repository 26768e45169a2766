"""The manual, `makruk_probe.pyi` and the README, against the installed package."""

import ast
import inspect
import pathlib
import re

import makruk_probe

HERE = pathlib.Path(__file__).parent.parent
MANUAL = ast.parse((HERE / "makruk_probe.pyi").read_text())
README = set(re.findall(r"\w+", (HERE / "README.md").read_text()))


def classes():
    """The classes of the module; those of the manual alone begin with an underscore."""
    return {node.name: node for node in MANUAL.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}


def is_overload(member):
    return any(isinstance(decorator, ast.Name) and decorator.id == "overload" for decorator in member.decorator_list)


def members(node):
    """The public members of a class in the manual. Of several types of one function the last is explained."""
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            if not is_overload(member) or ast.get_docstring(member):
                yield member.name, member
        elif isinstance(member, ast.AnnAssign):
            yield member.target.id, None
        elif isinstance(member, ast.Assign):
            yield member.targets[0].id, None


def test_the_manual_has_every_name():
    public = {name for name, value in vars(makruk_probe).items() if inspect.isclass(value)}
    assert public == set(classes())
    for name, node in classes().items():
        own = {member for member in vars(getattr(makruk_probe, name)) if not member.startswith("_")}
        # These are set on each error.
        set_later = {"reason", "fen", "index", "material", "remedy"} if name == "ProbeError" else set()
        assert own | set_later == {member for member, _ in members(node)}, name


def test_the_manual_has_every_function():
    functions = {node.name: node for node in MANUAL.body if isinstance(node, ast.FunctionDef)}
    assert functions.keys() == {name for name, value in vars(makruk_probe).items() if inspect.isbuiltin(value)}
    for name, node in functions.items():
        assert name in README, f"README.md: {name}"
        assert " ".join(inspect.getdoc(getattr(makruk_probe, name)).split()) == " ".join(ast.get_docstring(node).split())


def test_every_name_is_explained():
    for name, node in classes().items():
        assert ast.get_docstring(node), name
        assert name in README, f"README.md: {name}"
        for member, function in members(node):
            assert function is None or ast.get_docstring(function), f"{name}.{member}"
            # Fields of answers are explained in the manual alone.
            assert member in README or name in ("Count", "Move", "Verdict"), f"README.md: {name}.{member}"


def test_help_has_the_texts_of_the_manual():
    def words(text):
        return " ".join((text or "").replace("`", "").split())

    for name, node in classes().items():
        installed = getattr(makruk_probe, name)
        assert words(installed.__doc__) == words(ast.get_docstring(node)), name
        for member, function in members(node):
            if function is not None:
                found = words(inspect.getdoc(getattr(installed, member)))
                assert found == words(ast.get_docstring(function)), f"{name}.{member}"
