package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that fails says why, also where the settings file has nothing but warnings. */
final class StartReasonTest {

  @TempDir private Path directory;

  @Test
  void aFileInOrderWhoseKeyCannotBeReadIsReportedWithTheReason() throws Exception {
    Path none = directory.resolve("none.pem");
    GatewayHouse house =
        new GatewayHouse(directory)
            .downstream(", client_address: none")
            .more("tls: {certificate: " + none + ", key: " + none + "}")
            .write();
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(StartFailure.CONFIGURATION, failure.exitCode());
    assertTrue(failure.lines().getFirst().contains(none.toString()), failure.toString());
    assertTrue(failure.lines().getLast().contains("warning"), failure.toString());
  }
}
