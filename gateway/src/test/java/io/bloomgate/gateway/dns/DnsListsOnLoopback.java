package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lists that are asked by DNS: a real name server on loopback plays each of its troubles. For the
 * tests that extend it.
 */
abstract class DnsListsOnLoopback {

  static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  static final IpAddress CLIENT = ip("203.0.113.7");
  static final String CLIENT_QUESTION = "A 7.113.0.203.bl.example";

  @TempDir Path folder;

  final LoopbackDns dns = LoopbackDns.start();
  final AtomicLong ahead = new AtomicLong();
  final List<String> counted = new CopyOnWriteArrayList<>();

  final DnsListAnswers lists =
      new DnsListAnswers(
          name -> !name.equals("switched-off"),
          Thread.ofVirtual().factory(),
          InstantSource.fixed(NOW),
          this::nanoTime,
          new Random(7));

  long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  @BeforeEach
  void count() {
    lists.countBy((list, result) -> counted.add(list + " " + result));
  }

  @AfterEach
  void close() {
    dns.close();
  }

  static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  static DomainName domain(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  void configure(String sources) {
    String yaml =
        "domains: [example.com]\ndownstream: {host: mail.example.com}\ndns: {servers: [\"127.0.0.1:"
            + dns.address().getPort()
            + "\"]}\nfeeds: {sources: {"
            + sources
            + "}}\n";
    lists.configure(SampleStatus.settings(yaml));
  }

  /** A list of addresses that has passed its test. */
  void healthy(String zone, String more) {
    dns.forward("2.0.0.127." + zone, "127.0.0.2");
    configure("bl: {dns: " + zone + more + "}");
    test();
  }

  /** Runs the tests that are due. */
  void test() {
    lists.dueTests().forEach(Runnable::run);
  }

  List<DnsListing> ask(Check check, String subject) {
    return lists
        .ask(
            check,
            IpAddress.parse(subject).toOptional().isPresent() ? ip(subject) : domain(subject),
            CLIENT)
        .await();
  }

  long tests() {
    return dns.questions().stream().filter("A 2.0.0.127.bl.example"::equals).count();
  }

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "not within 60 s");
      LockSupport.parkNanos(1_000_000);
    }
  }
}
