"""Figures of the code's structure: `python -m tests.structure` prints them, tests/test_architecture.py holds their bounds."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).resolve().parent.parent
CODE = ("webapp", "jobs")
FOLDERS = (*CODE, "tests", "templates", "static")
RETIRED = (
    *("breath", "giveback", "give_back", "told", "tell", "tells", "look", "looks", "stand", "stands", "standing"),
    *("place", "places", "kept", "taken", "whoever", "meanwhile", "lane", "turn", "turns", "onward", "errand"),
    *("holdings", "courier"),
)
OPENINGS = re.compile(r"(What|Whether|How|That|Let)\b")


def sources(*folders: str) -> list[Path]:
    """The Python files in these folders but the migrations, by their paths."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file, in any order: to walk through all files takes as long as to parse them."""
    return list(ast.walk(tree_of(path)))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def files_per_folder() -> Counter[str]:
    """The number of files in each folder, without those that no commit holds."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    own = [path for path in found if not {"migrations", "__pycache__", "vendor"} & set(path.parts)]
    return Counter(name_of(path.parent) for path in own)


def functions() -> Iterator[tuple[str, int]]:
    """Every function by `file:name`, with its lines but its docstring's."""
    for path in sources(*CODE):
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{name_of(path)}:{node.name}", lines - docstring_lines(node)


def docstring_lines(node: ast.AST) -> int:
    """The lines of the node's own docstring."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return 0
    first = node.body[0] if node.body else None
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        return 0
    return (first.end_lineno or first.lineno) - first.lineno + 1


def docstrings() -> Iterator[tuple[str, str]]:
    """Every docstring, by `file:line`."""
    for path in sources(*CODE):
        for node in nodes_of(path):
            if docstring_lines(node) and isinstance(
                node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            ):
                yield f"{name_of(path)}:{node.body[0].lineno}", ast.get_docstring(node) or ""


def classes() -> Counter[str]:
    """Counts the definitions of each public class name, but for the API's responses, which name what the API names."""
    own = [path for path in sources(*CODE) if not path.stem.endswith("responses")]
    nodes = [node for path in own for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    return Counter(node.name for node in nodes if node.name != "Meta")


def retired_names() -> Counter[str]:
    """The names of functions, classes and files that hold a retired word."""
    names: list[str] = []
    for path in sources(*CODE):
        names.append(path.stem)
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        names += [node.name for node in nodes_of(path) if isinstance(node, kinds)]
    return Counter(name for name in names if set(words_of(name)) & set(RETIRED))


def words_of(name: str) -> list[str]:
    """The words of a name in either case, in lower case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().strip("_").split("_")


def imports() -> dict[str, set[str]]:
    """What each module imports of ours, by their dotted names."""
    modules = {module_of(path): path for path in sources(*CODE)}
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        named = set()
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom) and node.module:
                dotted = [f"{node.module}.{alias.name}" for alias in node.names]
                named |= {one if one in modules else node.module for one in dotted}
        found[module] = (named & modules.keys()) - {module}
    return found


def domain_packages() -> dict[str, set[str]]:
    """What each package of domain imports of the others; a file beside them counts as one."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module, named in imports().items():
        own = _package_of(module)
        if own is not None:
            found[own] |= {package for one in named if (package := _package_of(one)) is not None} - {own}
    return dict(found)


def _package_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["webapp", "domain"] and len(parts) > 2 else None


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of nodes that reach each other."""
    reached = {node: _reached_from(node, graph) for node in graph}
    groups = {tuple(sorted(other for other in reached[node] if node in reached[other])) for node in graph}
    return [list(group) for group in sorted(groups) if len(group) > 1]


def _reached_from(node: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [node]
    while waiting:
        for other in graph.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found


def _spread(lengths: list[int]) -> str:
    cuts = quantiles(lengths, n=10)
    return f"{cuts[4]:.0f} / {cuts[8]:.0f} / {max(lengths)}"


def main() -> None:
    """Print them."""
    lines = {path: len(path.read_text().splitlines()) for path in sources(*CODE)}
    said = sum(docstring_lines(node) for path in lines for node in nodes_of(path))
    code = sum(1 for path in lines for line in path.read_text().splitlines() if line.strip())
    openings = [at for at, text in docstrings() if OPENINGS.match(text)]
    twice = {name: count for name, count in classes().items() if count > 1}
    fullest = ", ".join(f"{folder} {count}" for folder, count in files_per_folder().most_common(5))
    retired = retired_names()
    print(f"files per folder, the fullest           {fullest}")
    print(f"lines of webapp and jobs                {sum(lines.values()):,} in {len(lines)} files")
    print(f"lines of files, median / p90 / max      {_spread(list(lines.values()))}")
    print(f"lines of functions, median / p90 / max  {_spread([count for _, count in functions()])}")
    print(f"class names that exist twice            {len(twice)}: {', '.join(sorted(twice))}")
    print(f"names with a retired word               {sum(retired.values())}: {', '.join(sorted(retired)[:12])}")
    print(f"docstrings that open with What, ...     {len(openings)} of {len(list(docstrings()))}")
    print(f"docstring lines                         {said:,}, {said / (code - said):.1%} of code")
    print(f"circles among files                     {circles(imports())}")
    print(f"circles among packages of domain        {circles(domain_packages())}")


if __name__ == "__main__":
    main()
