package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.util.Objects;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The things that the parts of a node of a fleet have in common. Immutable; made by {@link
 * SharedLists}, asked on all of its threads.
 *
 * @param settings with Redis
 */
record FleetParts(
    FleetSettings settings,
    SharedEntries entries,
    SharedLists.Surroundings around,
    FleetThreads threads,
    FleetTroubles troubles) {

  RedisAddress address() {
    return Objects.requireNonNull(settings.redis());
  }

  String key(String name) {
    return settings.keyPrefix() + name;
  }

  /** Notes that a piece of work with Redis failed. */
  void failed(Work work, JedisException e) {
    troubles.failed(work, RedisException.of(address(), e).sentence());
  }

  /** Notes that a piece of work succeeded. */
  void works(Work work) {
    troubles.works(work, address());
  }
}
