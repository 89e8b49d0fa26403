package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway remembers across a restart what mail servers take and offer. */
final class ServerMemoryTest {

  private static final String SERVER = "192.0.2.25:25";

  @TempDir Path folder;

  private ServerMemory open() {
    return ServerMemory.open(folder.resolve(ServerMemory.FILE_NAME));
  }

  private static UpstreamExtensions offers(String... lines) {
    return UpstreamExtensions.parse(
        Stream.concat(Stream.of("mail.example"), Stream.of(lines)).toList());
  }

  @Test
  void remembersWhatEachServerOffersAndThatItTookXclient() {
    UpstreamExtensions all =
        offers(
            "PIPELINING",
            "8BITMIME",
            "SMTPUTF8",
            "DSN",
            "STARTTLS",
            "SIZE 1000",
            "XCLIENT NAME ADDR",
            "XFORWARD ADDR");
    ServerMemory first = open();
    assertNull(first.offers(SERVER));
    first.remember(SERVER, all, true);
    first.remember("[2001:db8::25]:2525", UpstreamExtensions.NONE, false);
    ServerMemory later = open();
    assertEquals(all, later.offers(SERVER));
    assertTrue(later.tookXclient(SERVER));
    assertEquals(UpstreamExtensions.NONE, later.offers("[2001:db8::25]:2525"));
    assertFalse(later.tookXclient("[2001:db8::25]:2525"));
    assertNull(later.offers("192.0.2.25:26"));
    later.remember(SERVER, offers("SIZE"), false);
    later.close();
    assertEquals(offers("SIZE"), open().offers(SERVER));
    assertTrue(open().tookXclient(SERVER), "for ever");
  }

  @Test
  void worksOnWithoutTheFileAndWithADamagedOne() throws IOException {
    Path absent = folder.resolve("absent");
    ServerMemory servers = ServerMemory.open(absent.resolve("servers"));
    servers.remember(SERVER, offers("DSN"), true);
    assertTrue(servers.tookXclient(SERVER));
    Files.createDirectory(absent);
    servers.save();
    assertEquals(offers("DSN"), ServerMemory.open(absent.resolve("servers")).offers(SERVER));
    Files.createDirectory(folder.resolve("folder"));
    assertNull(ServerMemory.open(folder.resolve("folder")).offers(SERVER));
    Files.write(folder.resolve(ServerMemory.FILE_NAME), new byte[] {0, -1, 10, 9, 9, 10, 65});
    assertNull(open().offers(""));
  }
}
