"""What Slack's stand-in shows in a browser: its consent page, and a workspace to ask in by hand."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from apps.integrations.fakes.slack_posts import Posted, Uploaded

_STYLE = (
    "body{font:15px/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "pre{background:#f4f4f4;padding:.5rem;white-space:pre-wrap;"
    "overflow:auto}article{border-left:3px solid #ddd;padding-left:1rem;margin:1rem 0}small{color:#666}"
    "img{max-width:100%}a,button{margin-right:1rem}"
)


def consent_page(workspace: str, query: Mapping[str, str]) -> str:
    """Allow or refuse; both lead back to the address that was asked for."""
    back = query.get("redirect_uri", "")
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(query.get(name, ""))}">'
        for name in ("redirect_uri", "state")
    )
    refused = f"{back}?error=access_denied&state={query.get('state', '')}"
    return _page(
        "Slack (stand-in)",
        f"<p>The product asks for access to <b>{escape(workspace)}</b>: {escape(query.get('scope', ''))}</p>"
        f'<form action="/consent/allow">{hidden}<button>Allow</button><a href="{escape(refused)}">Cancel</a></form>',
    )


def workspace_page(name: str, users: Mapping[str, str], posts: Sequence[Posted], uploads: Iterable[Uploaded]) -> str:
    """A form to ask with as one of the users (names by id), and everything the product posted, newest first."""
    people = "".join(f'<option value="{key}">{escape(called)}</option>' for key, called in users.items())
    form = (
        f'<form method="post" action="/type"><select name="user" aria-label="As">{people}</select> '
        '<select name="how" aria-label="How"><option value="command">/ask</option>'
        '<option value="mention">mention</option><option value="direct">direct message</option></select> '
        '<input name="text" size="40" aria-label="Question"> <button>Send</button></form>'
    )
    articles = "".join(_post(users, post) for post in reversed(posts[-30:]))
    pictures = "".join(
        f'<figure><img alt="{escape(file.title)}" '
        f'src="data:image/png;base64,{base64.b64encode(file.content).decode()}">'
        f"<figcaption><small>{escape(file.title)} in {escape(file.channel)}</small></figcaption></figure>"
        for file in list(uploads)[-6:]
        if file.channel
    )
    return _page(name, f"{form}{articles}{pictures}")


def _post(users: Mapping[str, str], post: Posted) -> str:
    name = escape(users.get(post.user, post.user))
    seen = f"only {name} sees this" if post.user else "everybody there sees this"
    shown = [block["text"]["text"] for block in post.blocks if block["type"] == "section"] or [post.text]
    ends = [part["text"] for block in post.blocks if block["type"] == "context" for part in block["elements"]]
    texts = "".join(f"<pre>{_linked(text)}</pre>" for text in [*shown, *ends])
    return f"<article><small>{escape(post.channel)}, {seen}</small>{texts}</article>"


def _linked(text: str) -> str:
    """Slack's own way of writing links, as links; the rest as it came."""
    parts = []
    for number, part in enumerate(text.split("<")):
        inside, closed, rest = part.partition(">")
        address, _, words = inside.partition("|")
        if number and closed and address.startswith("http"):
            parts.append(f'<a href="{escape(address)}">{escape(words or address)}</a>{escape(rest)}')
        else:
            parts.append(escape(("<" if number else "") + part).replace("&amp;lt;", "&lt;").replace("&amp;gt;", "&gt;"))
    return "".join(parts)


def _page(title: str, body: str) -> str:
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>"
    )
