"""Which project a directory belongs to: the normalised `origin` of its repository, else the path of its root.

Read from git's own files: a hook has no time to run git. Only the standard library is imported here.
"""

import os
import re

LEVELS = 64  # directories that are looked through upwards
MOST = 1_000_000  # bytes of a git config that are read
_HEADING = re.compile(r"\[\s{0,9}([\w.-]{1,99})(?:\s{1,9}\"([^\"\n]{0,200})\")?\s{0,9}\]")
_URL = re.compile(r"url\s{0,20}=\s{0,20}(\S{1,2000})")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,20}://", re.IGNORECASE)
_SCP = re.compile(r"(?:[^\s@/]{1,100}@)?([^\s:/@]{2,255}):(?!//)(\S{1,2000})")  # two letters: C:\ is a drive


def project_of(directory: str) -> str:
    """The identity of the project that a directory lies in; the same for every checkout of one repository."""
    here = os.path.abspath(directory)
    for _ in range(LEVELS):
        git = os.path.join(here, ".git")
        if os.path.exists(git):
            url = _origin(_config(git))
            return normalised(url) if url else path_identity(here)
        above = os.path.dirname(here)
        if above == here:
            break
        here = above
    return path_identity(os.path.abspath(directory))


def normalised(url: str) -> str:
    """A remote as host and path: no scheme, user, password, port, `.git` or letter case of the host.

    >>> normalised("git@GitHub.com:acme/App.git"), normalised("https://me:pw@github.com:443/acme/App/")
    ('github.com/acme/App', 'github.com/acme/App')
    >>> normalised("ssh://git@github.com:22/acme/App.git"), normalised("C:\\\\src\\\\app.git")
    ('github.com/acme/App', 'c:/src/app')
    """
    url = url.strip()
    if scheme := _SCHEME.match(url):
        if scheme[0].lower() == "file://":
            path = url[len(scheme[0]) :]
            return path_identity(_bare(path[1:] if path[2:3] == ":" else path))  # file:///C:/src
        place, _, path = url[len(scheme[0]) :].partition("/")
        host = place.rpartition("@")[2].partition(":")[0]
    elif scp := _SCP.fullmatch(url):
        host, path = scp[1], scp[2]
    else:
        return path_identity(_bare(url))
    return f"{host.lower()}/{_bare(path).lstrip('/')}"


def path_identity(path: str) -> str:
    """A directory's own path, with forward slashes; a Windows drive in small letters.

    >>> path_identity("C:\\\\Users\\\\Ana\\\\app\\\\"), path_identity("/home/ana/app")
    ('c:/Users/Ana/app', '/home/ana/app')
    """
    plain = path.replace("\\", "/").rstrip("/") or "/"
    return plain[0].lower() + plain[1:] if plain[1:2] == ":" else plain


def _bare(path: str) -> str:
    return path.rstrip("/\\").removesuffix(".git").rstrip("/\\")


def _config(git: str) -> str:
    """The text of a repository's config; a worktree's or submodule's `.git` is a file that names the place."""
    where = git
    if os.path.isfile(git):
        named = _text(git).partition("gitdir:")[2].strip()
        where = os.path.join(os.path.dirname(git), named)
        common = _text(os.path.join(where, "commondir")).strip()
        where = os.path.join(where, common) if common else where
    return _text(os.path.join(where, "config"))


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MOST)
    except OSError:
        return ""


def _origin(config: str) -> str:
    """The url of `origin`; of the only remote where there is no origin."""
    urls: dict[str, str] = {}
    name = ""
    for line in config.splitlines():
        line = line.strip()
        if heading := _HEADING.match(line):
            name = heading[2] or "" if heading[1] == "remote" else ""
        elif name and (url := _URL.match(line)):
            urls.setdefault(name, url[1])
    return urls.get("origin") or (next(iter(urls.values())) if len(urls) == 1 else "")
