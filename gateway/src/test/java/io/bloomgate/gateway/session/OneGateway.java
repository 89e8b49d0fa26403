package io.bloomgate.gateway.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;

/** A listener before a scripted mail server, for the tests that extend it; most need no other. */
abstract class OneGateway {

  final TestGateway gateway = plain();

  private static TestGateway plain() {
    try {
      return TestGateway.plain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  final void closeGateway() {
    gateway.close();
  }
}
