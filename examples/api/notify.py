"""Hands each new question to a program: HEDDLE_TOKEN=hdl_... python3 examples/api/notify.py notify-send Heddle

The program gets the question and its address in the console as its last argument. Put a script there that posts to a
chat or sends an e-mail. The token needs the role viewer.
"""

import json
import os
import subprocess
import sys
import time
import urllib.parse
import urllib.request

CONSOLE = os.environ.get("HEDDLE_CONSOLE", "http://127.0.0.1:7880")
seen = set()


def follow():
    headers = {"Authorization": f"Bearer {os.environ['HEDDLE_TOKEN']}"}
    request = urllib.request.Request(f"{CONSOLE}/api/v1/stream", headers=headers)
    name = None
    for line in urllib.request.urlopen(request, timeout=60):  # The server sends something every 15 seconds.
        field, _, value = line.decode().rstrip("\n").partition(": ")
        name = value if field == "event" else name
        if field != "data" or name != "inbox":
            continue
        for question in json.loads(value)["items"]:
            key = (question["taskId"], question["id"])
            if key not in seen:
                seen.add(key)
                page = "/tasks/{}/decisions/{}".format(*(urllib.parse.quote(part, safe="") for part in key))
                subprocess.run([*sys.argv[1:], f"{question['problem']}\n{CONSOLE}{page}"], check=False)


while True:
    try:
        follow()
    except OSError as error:
        print(f"{error}; trying again", file=sys.stderr)
    time.sleep(5)
