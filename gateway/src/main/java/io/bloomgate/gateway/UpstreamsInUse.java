package io.bloomgate.gateway;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.relay.MailRoutes;

/**
 * The upstreams that new sessions use, and those of former settings that older sessions still use.
 * Made and changed by {@link LiveGateway}: {@link #current} on any thread, {@link #configure} on
 * the thread of a reload, one at a time, {@link #tick} on that of housekeeping.
 */
final class UpstreamsInUse {

  private final Platform world;
  private final Parts parts;
  private final Runnable noFreeConnection;
  private final RetiredUpstreams retired;
  private volatile MailRoutes current;

  /** Those of the first settings; no connection is made yet. */
  UpstreamsInUse(Platform world, Parts parts, Runnable noFreeConnection, Settings settings) {
    this.world = world;
    this.parts = parts;
    this.noFreeConnection = noFreeConnection;
    this.retired = new RetiredUpstreams(world.nanoTime());
    this.current = of(settings);
  }

  private MailRoutes of(Settings settings) {
    return new MailRoutes(
        settings.downstream(),
        settings.hostname(),
        world.nanoTime(),
        noFreeConnection,
        parts.xclient(),
        probe -> world.virtualThreads().newThread(probe).start(),
        parts.names());
  }

  /** What a session that begins now uses. */
  MailRoutes current() {
    return current;
  }

  /** Exchanges them where the settings of the upstream have changed. */
  void configure(Settings before, Settings now) {
    if (before.downstream().equals(now.downstream()) && before.hostname().equals(now.hostname())) {
      return;
    }
    MailRoutes old = current;
    current = of(now);
    retired.add(old, before.limits().sessionTimeout());
    // An upstream that does not answer must not hold up who asked for the reload.
    world.virtualThreads().newThread(() -> current.probe()).start();
  }

  /** Watches the writes of all of them. */
  void tick() {
    current.tick();
    retired.tick();
  }

  void close() {
    current.close();
    retired.close();
  }
}
