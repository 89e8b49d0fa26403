package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** One mail server, and settings of it that a test varies. Tests of this package extend it. */
abstract class OneServer {

  final ScriptedUpstream server = ScriptedUpstream.start();
  final RelayFixture fixture = new RelayFixture();

  /** Nanoseconds that a clock of a test is ahead. */
  final AtomicLong ahead = new AtomicLong();

  @AfterEach
  final void closeServer() {
    server.close();
  }
}
