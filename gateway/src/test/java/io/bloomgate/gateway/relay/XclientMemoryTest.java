package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway remembers across a restart which servers take XCLIENT. */
final class XclientMemoryTest {

  @TempDir Path folder;

  private XclientMemory open() {
    return XclientMemory.open(folder.resolve(XclientMemory.FILE_NAME));
  }

  @Test
  void remembersEachServer() throws IOException {
    XclientMemory first = open();
    assertFalse(first.holds("192.0.2.25:25"));
    first.remember("192.0.2.25:25");
    first.remember("[2001:db8::25]:2525");
    XclientMemory later = open();
    assertTrue(later.holds("192.0.2.25:25"));
    assertTrue(later.holds("[2001:db8::25]:2525"));
    assertFalse(later.holds("192.0.2.25:26"));
    later.remember("192.0.2.25:25");
    assertEquals(2, Files.readAllLines(folder.resolve(XclientMemory.FILE_NAME)).size());
  }

  @Test
  void worksOnWithoutTheFile() throws IOException {
    XclientMemory servers = XclientMemory.open(folder.resolve("absent/servers"));
    servers.remember("192.0.2.25:25");
    assertTrue(servers.holds("192.0.2.25:25"));
    Files.createDirectory(folder.resolve("folder"));
    assertFalse(XclientMemory.open(folder.resolve("folder")).holds("192.0.2.25:25"));
  }
}
