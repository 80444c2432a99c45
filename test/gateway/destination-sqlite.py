"""A webhook endpoint that may be killed at any moment: key and effect are one transaction in a database file of its own."""

import json
import os
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

database = sqlite3.connect(os.environ["EFFECTS_FILE"], check_same_thread=False, isolation_level=None)
database.execute("pragma synchronous = full")
database.execute("create table if not exists keys (key text primary key)")
database.execute("create table if not exists effects (event text)")
lock = threading.Lock()


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            database.execute("begin immediate")
            added = database.execute("insert or ignore into keys values (?)", (self.headers["Idempotency-Key"],))
            if added.rowcount == 1:
                database.execute("insert into effects values (?)", (json.loads(body)["id"],))
            database.execute("commit")
        self.answer(204, b"")

    def do_GET(self):
        with lock:
            rows = [row[0] for row in database.execute("select event from effects")]
        self.answer(200, json.dumps(rows).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer.allow_reuse_address = True
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Endpoint)
print(server.server_address[1], flush=True)
server.serve_forever()
