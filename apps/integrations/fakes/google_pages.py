"""What Google's stand-in shows in a browser: consent, the picker's script, a page to change a sheet by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from apps.integrations.fakes.google_files import FakeFile

_STYLE = "body{font:15px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem}button,a{margin-right:1rem}"


def consent_page(email: str, query: Mapping[str, str]) -> str:
    """Allow, allow less, or refuse; the address it leads back to is the one that was asked for."""
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in query.items()
        if name in ("redirect_uri", "state", "scope", "access_type", "prompt", "code_challenge")
    )
    back = f"{query.get('redirect_uri', '')}?error=access_denied&state={query.get('state', '')}"
    return _page(
        "Sign in with Google (stand-in)",
        f"<p>The product wants to access the account <b>{escape(email)}</b>.</p>"
        f'<form action="/consent/allow">{hidden}'
        '<p><label><input type="checkbox" name="files" checked> See the files you pick</label></p>'
        f'<button>Allow</button><a href="{escape(back)}">Cancel</a></form>',
    )


def edit_page(files: Sequence[FakeFile]) -> str:
    """Every tab with a form that adds a row to it."""
    parts = []
    for file in files:
        for tab in file.tabs:
            if tab.kind != "GRID":
                continue
            head = ", ".join(str(cell) for cell in (tab.rows[0] if tab.rows else []))
            parts.append(
                f"<h2>{escape(file.title)}: {escape(tab.title)}</h2><p>{len(tab.rows)} rows. {escape(head)}</p>"
                f'<form method="post" action="/edit"><input type="hidden" name="file" value="{escape(file.file_id)}">'
                f'<input type="hidden" name="tab" value="{escape(tab.title)}">'
                '<input name="row" size="40" aria-label="New row, cells with commas between"> '
                "<button>Add row</button></form>"
            )
    return _page("Google Sheets (stand-in)", "".join(parts))


def picker_script() -> str:
    """The part of Google's picker that the product uses: gapi.load and google.picker's builder. Like the real one it
    brings a style with the page's nonce and shows the files in a frame of another host."""
    return _PICKER


def picker_frame(offered: Sequence[Mapping[str, str]], origin: str) -> str:
    """What the frame shows: a button for each file, which tells the page that opened it."""
    said = json.dumps({"files": list(offered), "origin": origin}).replace("<", "\\u003c")
    script = f"<script>const {{files, origin}} = {said};{_FRAME}</script>"
    return _page("Select a file (stand-in)", f"<div id=files></div>{script}")


def _page(title: str, body: str, **more: Any) -> str:
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>"
    )


_FRAME = """
  const tell = (data) => parent.postMessage({ picker: data }, origin);
  for (const [name, data] of [...files.map((file) => [file.name, { action: 'picked', docs: [{ ...file,
      mimeType: 'application/vnd.google-apps.spreadsheet', url: 'https://docs.google.com/' + file.id }] }]),
      ['Cancel', { action: 'cancel' }]]) {
    const button = document.createElement('button');
    button.textContent = name;
    // Once the click is over: a frame that is taken away in the middle of one leaves it unanswered.
    button.onclick = () => setTimeout(() => tell(data), 100);
    document.getElementById('files').append(button);
  }
"""
_PICKER = """(() => {
  const place = new URL(document.currentScript.src);
  const frames = `${place.protocol}//${place.hostname.replace('127.0.0.1', 'localhost')}:${place.port}`;
  const bearer = document.querySelector('style[nonce], link[rel="stylesheet"][nonce]');
  const style = document.createElement('style');
  style.nonce = bearer ? bearer.nonce : '';
  style.textContent = '.picker-dialog{width:min(90vw,34rem);height:70vh;padding:0;border:1px solid #8c7e8e}'
    + '.picker-dialog iframe{width:100%;height:100%;border:0}';
  document.head.append(style);
  class View { constructor(id) { this.id = id; } setMode() { return this; } setMimeTypes() { return this; } }
  class Picker {
    constructor(settings) { this.settings = settings; }
    setVisible(shown) {
      if (this.dialog) {
        window.removeEventListener('message', this.hear);
        this.dialog.close(); this.dialog.remove(); this.dialog = null;
      }
      if (!shown) return;
      const dialog = document.createElement('dialog');
      dialog.className = 'picker-dialog';
      dialog.setAttribute('aria-label', 'Select a file');
      const frame = document.createElement('iframe');
      frame.title = 'Google Drive';
      frame.src = `${frames}/picker?origin=${encodeURIComponent(this.settings.origin)}`;
      dialog.append(frame);
      this.hear = (event) => {
        if (event.origin !== frames || event.source !== frame.contentWindow) return;
        this.setVisible(false);
        this.settings.callback(event.data.picker);
      };
      window.addEventListener('message', this.hear);
      dialog.oncancel = () => { this.setVisible(false); this.settings.callback({ action: 'cancel' }); };
      document.body.append(dialog);
      dialog.showModal();
      this.dialog = dialog;
    }
    dispose() { this.setVisible(false); }
  }
  class PickerBuilder {
    constructor() { this.settings = {}; }
    addView() { return this; }
    setOAuthToken(token) { this.settings.token = token; return this; }
    setDeveloperKey(key) { this.settings.key = key; return this; }
    setAppId(id) { this.settings.appId = id; return this; }
    setOrigin(origin) { this.settings.origin = origin; return this; }
    setCallback(callback) { this.settings.callback = callback; return this; }
    build() {
      if (!this.settings.token || !this.settings.key) throw new Error('The picker needs a token and a key.');
      return new Picker(this.settings);
    }
  }
  window.google = { ...window.google, picker: { PickerBuilder, DocsView: View, ViewId: { SPREADSHEETS: 'spreadsheets' },
    Action: { PICKED: 'picked', CANCEL: 'cancel', LOADED: 'loaded' }, DocsViewMode: { LIST: 'list' } } };
  window.gapi = { load: (_name, done) => (typeof done === 'function' ? done() : done.callback()) };
})();
"""
