/**
 * Runs OpenStack Swift in one process: the proxy with its S3 API, one account server, one container server
 * and one object server on one folder, without replication and memcached. Arguments: the folder, the port,
 * the key of the two users `test:owner` and `test:stranger`.
 */
export const SWIFT_PROGRAM = String.raw`
import os, sys
import eventlet
eventlet.monkey_patch()
from eventlet import listen, spawn, wsgi
from swift.common import storage_policy, utils
from swift.common.ring import RingBuilder

folder, port, key = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sock = listen(('127.0.0.1', port))

def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path

utils.HASH_PATH_SUFFIX = b'test'
utils.SWIFT_CONF_FILE = write('swift.conf', '''
[swift-hash]
swift_hash_path_suffix = test
[storage-policy:0]
name = only
default = yes
''')
storage_policy.reload_storage_policies()
os.makedirs(os.path.join(folder, 'disks', 'one'), exist_ok=True)

from swift.account.server import AccountController
from swift.common.wsgi import loadapp
from swift.container.server import ContainerController
from swift.obj.server import ObjectController

class Silent:
    def write(self, *_): pass
    def flush(self): pass

class Cache(dict):
    """Replaces memcached for the proxy."""
    def __bool__(self): return True # True even if the cache is empty
    def get(self, key, *_, **__): return dict.get(self, key)
    def set(self, key, value, *_, **__): self[key] = value
    def delete(self, key, *_, **__): self.pop(key, None)
    def incr(self, key, delta=1, *_, **__):
        self[key] = max(0, (dict.get(self, key) or 0) + int(delta))
        return self[key]
    def decr(self, key, delta=1, *_, **__): return self.incr(key, -int(delta))
    def get_multi(self, keys, *_, **__): return [dict.get(self, key) for key in keys]
    def set_multi(self, mapping, *_, **__): self.update(mapping)

for name, Server in ('account', AccountController), ('container', ContainerController), ('object', ObjectController):
    inner = listen(('127.0.0.1', 0))
    ring = RingBuilder(2, 1, 0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': inner.getsockname()[1], 'device': 'one'})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, name + '.ring.gz'))
    settings = {'devices': os.path.join(folder, 'disks'), 'mount_check': 'false', 'swift_dir': folder, 'fallocate_reserve': '0'}
    spawn(wsgi.server, inner, Server(settings), Silent(), log_output=False)

proxy = loadapp(write('proxy.conf', f'''
[DEFAULT]
swift_dir = {folder}
log_level = CRITICAL
[pipeline:main]
pipeline = catch_errors listing_formats s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_owner = {key} .admin
user_test_stranger = {key}
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
'''))
cache = Cache()

def respond(environment, start_response):
    environment['swift.cache'] = cache
    return proxy(environment, start_response)

wsgi.server(sock, respond, Silent(), log_output=False)
`;
