"""What the files of the code import of each other, for tests/test_architecture.py."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ("webapp", "jobs")


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
