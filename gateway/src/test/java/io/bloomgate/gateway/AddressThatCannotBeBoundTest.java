package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start without the address to listen on: the program that has the port may let it go, and the
 * address may come later, so systemd starts the gateway again.
 */
final class AddressThatCannotBeBoundTest {

  private static final int TRY_AGAIN = 75;

  @TempDir private Path directory;
  private ServerSocket taken;

  @BeforeEach
  void takeAPort() throws IOException {
    taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void giveItBack() throws IOException {
    taken.close();
  }

  private StartFailure failure(String address, String otherAddress) throws IOException {
    GatewayHouse house = new GatewayHouse(directory).write();
    String text = Files.readString(house.settings());
    Files.writeString(house.settings(), text.replace(address, otherAddress));
    return assertThrows(StartFailure.class, house::start);
  }

  private String inUse(String setting) {
    int port = taken.getLocalPort();
    return setting
        + ": cannot listen on 127.0.0.1:"
        + port
        + ": Address already in use; `ss -ltnp 'sport = :"
        + port
        + "'` shows the program that has it";
  }

  @Test
  void aPortThatIsTakenMayBeFreeLater() throws Exception {
    StartFailure failure =
        failure("mx: {address: \"127.0.0.1:0\"", "mx: {address: \"" + takenAddress() + "\"");
    assertEquals(inUse("listeners.mx.address"), failure.lines().getFirst());
    assertEquals(TRY_AGAIN, failure.exitCode());
    assertFalse(Files.exists(directory.resolve("control.sock")), "nothing is left open");
    new GatewayHouse(directory).write().start().close();
  }

  /** As of keepalived or DHCP. */
  @Test
  void anAddressThatTheMachineDoesNotHaveMayComeLater() throws Exception {
    StartFailure failure =
        failure("mx: {address: \"127.0.0.1:0\"", "mx: {address: \"192.0.2.99:2525\"");
    assertEquals(
        "listeners.mx.address: cannot listen on 192.0.2.99:2525: Cannot assign requested address;"
            + " this machine does not have that address now, `ip address` shows those that it has",
        failure.lines().getFirst());
    assertEquals(TRY_AGAIN, failure.exitCode());
  }

  @Test
  void theSameHoldsForThePages() throws Exception {
    StartFailure http = failure("http: \"127.0.0.1:0\"", "http: \"" + takenAddress() + "\"");
    assertEquals(inUse("admin.http"), http.lines().getFirst());
    assertEquals(TRY_AGAIN, http.exitCode());
    StartFailure why = failure("http: \"127.0.0.1:0\"", "why: \"" + takenAddress() + "\"");
    assertEquals(inUse("admin.why"), why.lines().getFirst());
    assertEquals(TRY_AGAIN, why.exitCode());
  }

  private String takenAddress() {
    return "127.0.0.1:" + taken.getLocalPort();
  }
}
