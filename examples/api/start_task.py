"""Starts a plan, prints what happens, and the end: HEDDLE_TOKEN=hdl_... python3 examples/api/start_task.py PLAN"""

import json
import os
import sys
import urllib.request
import uuid

API = os.environ.get("HEDDLE_API", "http://127.0.0.1:7880/api/v1")


def ask(path, body=None, **headers):
    headers["Authorization"] = f"Bearer {os.environ['HEDDLE_TOKEN']}"
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(API + path, data, headers))


def follow(path):
    """Yields (name, data); the name is None for the numbered events of the task."""
    name = None
    for line in ask(path):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
        elif field == "":
            name = None


with open(sys.argv[1], encoding="utf8") as file:
    plan = f"workspace: {json.dumps(os.getcwd())}\n{file.read()}"
# A request that is sent again with the same key starts no second task.
task = json.load(ask("/tasks", {"plan": plan}, **{"Idempotency-Key": str(uuid.uuid4())}))["taskId"]
print("task", task, flush=True)
for name, data in follow(f"/tasks/{task}/stream"):
    if name is None:
        print(data["text"], flush=True)
    elif name == "end":
        print(data["state"], flush=True)
