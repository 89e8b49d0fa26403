package io.bloomgate.gateway.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom a forwarder's Received fields name; a field that a stranger wrote names nobody. */
class ForwardedClientTest {

  private static final List<IpPrefix> FORWARDERS =
      List.of(IpPrefix.parse("192.0.2.0/24").toOptional().orElseThrow());

  /** A field of a stranger, below those of the forwarder. */
  private static final String FORGED =
      "from good.example (good.example [198.51.100.1]) by mx.forwarder.example with ESMTP id 1; D";

  private static boolean isInternal(IpAddress client) {
    return ReservedNetworks.overlap(IpPrefix.host(client))
        || FORWARDERS.stream().anyMatch(network -> network.contains(client));
  }

  private static @Nullable String client(String... received) {
    IpAddress found = ForwardedClient.of(List.of(received), ForwardedClientTest::isInternal);
    return found == null ? null : found.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Postfix
        "from a.example (b.example [203.0.113.7]) by mx.f.example (Postfix) with ESMTPS id 1; D",
        "from a.example (unknown [203.0.113.7]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384"
            + " (256/256 bits) key-exchange X25519 server-signature RSA-PSS (2048 bits))"
            + " (No client certificate requested) by mx.f.example (Postfix) with ESMTPS id 1; D",
        "from [10.69.2.28] (b.example [203.0.113.7]) by mx.f.example (Postfix) with ESMTP id 1; D",
        "from ?a?b? (unknown [203.0.113.7]) (Authenticated sender: x@y) by mx (Postfix) id 1; D",
        // Sendmail
        "from a.example ([203.0.113.7]) by mx.f.example (8.17.1/8.17.1) with ESMTP id 1; D",
        "from a.example (b.example [203.0.113.7] (may be forged)) by mx (8.17.1/8.17.1) id 1; D",
        "from a.example (root@b.example [203.0.113.7]) by mx.f.example (8.17.1/8.17.1) id 1; D",
        "from a.example (lists@[203.0.113.7]) by mx.f.example (8.7.3/8.7.3) with ESMTP id 1; D",
        // Exim
        "from b.example ([203.0.113.7]) by mx.f.example with esmtps (TLS1.3) (Exim 4.96) id 1; D",
        "from b.example ([203.0.113.7] helo=a.example) by mx.f.example with esmtp (Exim 4.96); D",
        "from b.example ([203.0.113.7]:4711 helo=[198.51.100.1]) by mx.f.example with esmtp; D",
        "from [203.0.113.7] (helo=a.example) by mx.f.example with esmtp (Exim 4.96) id 1; D",
        "from [203.0.113.7] (port=4711 helo=[198.51.100.1] ident=root) by mx with esmtp id 1; D",
        // Exchange
        "from a.example (203.0.113.7) by ex.f.example (10.1.1.1) with Microsoft SMTP Server; D",
        // Gmail
        "from a.example (b.example. [203.0.113.7]) by mx.google.com with ESMTPS id 1; D",
        // qmail, Yahoo, James
        "from unknown (HELO a.example) (203.0.113.7) by mx.f.example with SMTP; D",
        "from b.example (HELO a.example) (root@203.0.113.7) by mx.f.example with SMTP; D",
        "from 203.0.113.7 (EHLO a.example) ([203.0.113.7]) by mx (JAMES SMTP Server) id 1; D",
      })
  void theFormsOfMailServers(String field) {
    assertEquals("203.0.113.7", client(field, FORGED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from a.example (b.example [IPv6:2001:db8::7]) by mx.f.example (Postfix) with ESMTP; D",
        "from b.example ([2001:db8::7] helo=a.example) by mx.f.example with esmtp (Exim 4.96); D",
        "from a.example (2001:db8::7) by ex.f.example (2001:db8::1) with Microsoft SMTP Server; D"
      })
  void ipv6(String field) {
    assertEquals("2001:db8::7", client(field, FORGED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "from a.example by mx.f.example with SMTP id 1; D",
        "from [198.51.100.1] by mx.f.example with SMTP id 1; D",
        "from a.example (b.example) by mx.f.example with SMTP id 1; D",
        "from a.example (b.example [203.0.113.7])",
        "from a.example (b.example [203.0.113.777]) by mx.f.example; D",
        // What the client said opens a comment, or is more than one word.
        "from x (unknown [198.51.100.1]) (b.example [203.0.113.7]) by mx.f.example; D",
        "from x (unknown [198.51.100.1] (b.example [203.0.113.7]) by mx.f.example; D",
        "from x (unknown [198.51.100.1]) by y (b.example [203.0.113.7]) by mx.f.example; D",
        "from two words (b.example [203.0.113.7]) by mx.f.example (Postfix); D",
        "from a.example (helo=[198.51.100.1]) by mx.f.example; D",
        // A user of the forwarder, who may have written all that follows.
        "by mx.f.example (Postfix, from userid 1001) id 1; D",
        "(qmail 17560 invoked by uid 1002); D",
        "by 10.1.1.1 with HTTP; D",
        "(from tibbs@localhost) by mx.f.example (8.7.3/8.7.3) id 1; D",
        "by mx.f.example (Smail3.1) from good.example (198.51.100.1) with smtp id 1; D",
      })
  void whatCannotBeReadForCertainEndsTheSearch(String field) {
    assertNull(client(field, FORGED));
  }

  @Test
  void internalHopsArePassedOver() {
    String outer = "from a.example (b.example [203.0.113.7]) by in.f.example (Postfix) id 3; D";
    assertEquals(
        "203.0.113.7",
        client(
            "from in.f.example (in.f.example [10.1.1.1]) by out.f.example (Postfix) id 1; D",
            "by out.f.example (Postfix) id 2; D",
            "from localhost (localhost [127.0.0.1]) by in.f.example (Postfix) id 2; D",
            "from f.example (f.example [192.0.2.99]) by in.f.example (Postfix) id 2; D",
            "(qmail 18554 invoked from network); D",
            "by 2002:a05:6214::1 with SMTP id q1csp1; D",
            "from six.f.example ([IPv6:fd00::1]) by in.f.example (Postfix) id 2; D",
            outer,
            FORGED));
    assertNull(
        client("from in.f.example (in.f.example [10.1.1.1]) by out.f.example; D"),
        "only internal hops");
    assertNull(client(), "no field");
  }

  @Test
  void aLongFieldIsNotRead() {
    assertNull(
        client("from " + "a".repeat(5_000) + " (b.example [203.0.113.7]) by mx.f.example; D"));
  }

  @Test
  void theHeadGivesItsTopmostFields() {
    MessageHead head = new MessageHead(1 << 20);
    byte[] octets =
        """
        X-First: a\r
        Received: from a.example\r
        \t(b.example [203.0.113.7])\r
          by mx.f.example; D\r
        Return-Path: <a@b.example>\r
        RECEIVED : from c\r
        Received: from d\r
        \r
        Received: body\r
        """
            .getBytes(StandardCharsets.US_ASCII);
    head.take(octets, 0, octets.length);
    head.end();
    assertEquals(
        List.of(" from a.example\t(b.example [203.0.113.7])  by mx.f.example; D", " from c"),
        head.topReceived(2));
    assertEquals(3, head.topReceived(9).size());
    assertEquals("203.0.113.7", client(head.topReceived(1).toArray(String[]::new)));
  }

  /** Each address that is found is in a field of real mail behind its HELO, in brackets. */
  @Test
  void realMails() throws IOException {
    Path mails = Path.of("../../shared/mail");
    Assumptions.assumeTrue(Files.isDirectory(mails));
    Map<String, String> found = new TreeMap<>();
    int fields = 0;
    try (Stream<Path> files = Files.walk(mails)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] octets = Files.readAllBytes(file);
        MessageHead head = new MessageHead(1 << 20);
        head.take(octets, 0, octets.length);
        head.end();
        for (String field : head.topReceived(ForwardedClient.MAX_FIELDS)) {
          fields++;
          String client = client(field);
          if (client != null) {
            found.put(field, client);
            assertTrue(field.contains("[" + client + "]") || field.contains("(" + client + ")"));
          }
        }
      }
    }
    assertTrue(fields > 100, fields + " fields");
    assertTrue(found.size() > 25, found.size() + " of " + fields + " are read");
  }
}
