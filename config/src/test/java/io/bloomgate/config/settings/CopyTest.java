package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.config.notation.HostPort;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A copy differs in the named components and in no other. */
class CopyTest {

  private static final HostPort SERVER = new HostPort("mail.example", 25);

  @Test
  void whatIsNotNamedStays() {
    assertEquals(
        new HostPort("mail.example", 24), Copy.of(HostPort.class, SERVER, Map.of("port", 24)));
    assertEquals(SERVER, Copy.of(HostPort.class, SERVER, Map.of()));
  }

  @Test
  void aComponentThatTheRecordDoesNotHaveIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Copy.of(HostPort.class, SERVER, Map.of("prot", 24)));
  }
}
