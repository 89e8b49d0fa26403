package io.bloomgate.gateway.relay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Shows held content to tests of packages that may only hand it on. */
public final class OutgoingContentFixture {

  private OutgoingContentFixture() {}

  /** What was held, without stuffed dots; it takes nothing more afterwards. */
  public static byte[] held(OutgoingContent content) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    try {
      content.connect(octets::write);
      content.flush();
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    String stuffed = "\n" + octets.toString(StandardCharsets.ISO_8859_1);
    return stuffed.replace("\n..", "\n.").substring(1).getBytes(StandardCharsets.ISO_8859_1);
  }
}
