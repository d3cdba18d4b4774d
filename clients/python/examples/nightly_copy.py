"""Copies a table with masked values, and repeats the request safely.

Run it from a scheduler. Set UNDERSTUDY_API_URL, UNDERSTUDY_API_TOKEN, SHOP_URL and
STAGING_URL. The key contains the date, so a second run on the same day returns the job of
the first one.
"""

import datetime
import os
import sys

from understudy import JobFailedError, Understudy, UnderstudyError

today = datetime.date.today().isoformat()
try:
    with Understudy() as client:
        job = client.jobs.create(
            name=f"nightly {today}",
            source={"type": "postgresql", "connection_string": os.environ["SHOP_URL"]},
            target={
                "type": "postgresql",
                "connection_string": os.environ["STAGING_URL"],
            },
            tables=[
                {
                    "name": "customers",
                    "columns": {
                        "first_name": {"generator": "en_US/first_names"},
                        "last_name": {"generator": "en_US/last_names"},
                        "email": {
                            "generator": "template",
                            "pattern": "{{uuid}}@example.com",
                        },
                    },
                }
            ],
            idempotency_key=f"nightly-customers-{today}",
        )
        done = client.jobs.wait(job["id"], timeout=4 * 3600)
        print(f"{done['id']}: copied {done['rows_processed']} rows")
except JobFailedError as error:
    sys.exit(f"{error.code}: {error}")
except UnderstudyError as error:
    sys.exit(str(error))
