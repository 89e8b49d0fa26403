package io.bloomgate.it;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scripted mail server and a gateway in front of it, new ones for each test, which adds settings
 * and starts the gateway. Both end with the test.
 */
abstract class Story {

  @TempDir Path folder;
  final ScriptedUpstream upstream = ScriptedUpstream.start();
  GatewayFixture gateway;

  @BeforeEach
  final void prepareGateway() {
    gateway = GatewayFixture.in(folder, upstream.port());
  }

  @AfterEach
  final void stopGateway() {
    gateway.close();
    upstream.close();
  }
}
