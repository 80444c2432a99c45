"""A webhook endpoint with nothing but the standard library: it verifies our signature and dedupes on the Idempotency-Key."""

import base64
import hashlib
import hmac
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["FORWARD_SECRET"].removeprefix("whsec_"))
lock = threading.Lock()
effects = {}
forged = 0


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global forged
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        expected = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
        with lock:
            if not hmac.compare_digest(expected, self.headers["webhook-signature"] or ""):
                forged += 1
                return self.answer(401, b"")
            key = self.headers["Idempotency-Key"]
            event = json.loads(body)["id"]
            seen = effects.setdefault(key, {"event": event, "deliveries": 0})
            seen["deliveries"] += 1
        self.answer(204, b"")

    def do_GET(self):
        with lock:
            document = json.dumps({"effects": list(effects.values()), "forged": forged}).encode()
        self.answer(200, document)

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_address[1], flush=True)
server.serve_forever()
