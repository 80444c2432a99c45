"""An app that knows nothing of Stripe. Python's standard library, and a database of its own."""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECRET = base64.b64decode(os.environ["FORWARD_SECRET"].removeprefix("whsec_"))
TABLES = """
create table if not exists seen (key text primary key);
create table if not exists payments (event_id text, amount integer);
"""


def connect():
    return sqlite3.connect(os.environ["APP_DATABASE"], timeout=10)


def take_effect_once(key, event):
    """The key and the work are committed together, so a request that comes again changes nothing."""
    database = connect()
    try:
        with database:
            is_new = database.execute("insert or ignore into seen values (?)", (key,)).rowcount == 1
            if is_new and event["type"] == "invoice.paid":
                amount = event["data"]["object"]["amount_paid"]
                database.execute("insert into payments values (?, ?)", (event["id"], amount))
    finally:
        database.close()


def is_authentic(headers, body):
    """https://www.standardwebhooks.com"""
    moment = headers.get("webhook-timestamp", "")
    if not moment.isdigit() or abs(time.time() - int(moment)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{moment}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(expected, headers.get("webhook-signature", ""))


class App(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_authentic(self.headers, body):
            return self.send_error(401)
        take_effect_once(self.headers["idempotency-key"], json.loads(body))
        self.send_response(204)
        self.end_headers()

    def do_GET(self):
        """How often an event was booked: /payments?event=evt_1"""
        event = parse_qs(urlsplit(self.path).query).get("event", [""])[0]
        database = connect()
        (count,) = database.execute("select count(*) from payments where event_id = ?", (event,)).fetchone()
        database.close()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"count": count}).encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    setup = connect()
    setup.execute("pragma journal_mode = wal")
    setup.executescript(TABLES)
    setup.close()
    address = urlsplit(os.environ["APP_URL"])
    server = ThreadingHTTPServer((address.hostname, address.port), App)
    print(f"the app listens at {address.geturl()}", flush=True)
    server.serve_forever()
