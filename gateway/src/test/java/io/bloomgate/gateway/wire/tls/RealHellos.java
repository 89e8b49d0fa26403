package io.bloomgate.gateway.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** First messages of clients, made by the TLS of Java. */
final class RealHellos {

  private static final int HEADER_OCTETS = 5;

  private String serverName = "";
  private String[] protocols = {"TLSv1.3", "TLSv1.2"};
  private String[] signatures = {};
  private String[] suites = {};
  private String[] groups = {};

  RealHellos named(String name) {
    serverName = name;
    return this;
  }

  RealHellos protocols(String... wanted) {
    protocols = wanted;
    return this;
  }

  RealHellos signatures(String... wanted) {
    signatures = wanted;
    return this;
  }

  RealHellos suites(String... wanted) {
    suites = wanted;
    return this;
  }

  RealHellos groups(String... wanted) {
    groups = wanted;
    return this;
  }

  /** One record with the message. */
  byte[] record() throws GeneralSecurityException, IOException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(protocols);
    if (!serverName.isEmpty()) {
      parameters.setServerNames(List.of(new SNIHostName(serverName)));
    }
    if (signatures.length > 0) {
      parameters.setSignatureSchemes(signatures);
    }
    if (suites.length > 0) {
      parameters.setCipherSuites(suites);
    }
    if (groups.length > 0) {
      parameters.setNamedGroups(groups);
    }
    engine.setSSLParameters(parameters);
    ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), out);
    return Arrays.copyOf(out.array(), out.position());
  }

  HelloRecords read() throws GeneralSecurityException, IOException {
    return HelloRecords.read(new ByteArrayInputStream(record()));
  }

  /** The message of a record, without the header of the record. */
  static byte[] message(byte[] record) {
    return Arrays.copyOfRange(record, HEADER_OCTETS, record.length);
  }

  /** The message in records of this number of octets, the last one of what is left. */
  static byte[] records(byte[] message, int octets) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < message.length; from += octets) {
      int length = Math.min(octets, message.length - from);
      for (int octet : new int[] {22, 3, 1, length >> Byte.SIZE, length}) {
        out.write(octet);
      }
      out.write(message, from, length);
    }
    return out.toByteArray();
  }

  /** The same message with one more extension of this number of octets, as those of padding are. */
  static byte[] padded(byte[] message, int octets) {
    byte[] longer = Arrays.copyOf(message, message.length + 4 + octets);
    longer[message.length + 1] = 21;
    longer[message.length + 2] = (byte) (octets >> Byte.SIZE);
    longer[message.length + 3] = (byte) octets;
    add(longer, 1, 3, 4 + octets);
    int session = 4 + 2 + 32;
    int suites = session + 1 + longer[session];
    int compression =
        suites + 2 + (((longer[suites] & 0xff) << Byte.SIZE) | (longer[suites + 1] & 0xff));
    add(longer, compression + 1 + longer[compression], 2, 4 + octets);
    return longer;
  }

  private static void add(byte[] message, int at, int octets, int more) {
    int number = 0;
    for (int i = at; i < at + octets; i++) {
      number = (number << Byte.SIZE) | (message[i] & 0xff);
    }
    number += more;
    for (int i = at + octets - 1; i >= at; i--) {
      message[i] = (byte) number;
      number >>= Byte.SIZE;
    }
  }
}
