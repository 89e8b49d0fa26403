package io.bloomgate.gateway.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.tls.SelfSignedFile.SelfSigned;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import io.bloomgate.gateway.wire.tls.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which certificate is shown while files and time change. */
final class ServerCertificatesTest {

  private static final String NAME = "mx.company.example";

  @TempDir private Path directory;
  private final SecureRandom random = new SecureRandom();
  private Instant now = Instant.parse("2026-11-21T08:00:00Z");
  private final TicketKeys tickets = TicketKeys.ofThisProcess(random);
  private ServerCertificates certificate =
      new ServerCertificates(Path.of(""), () -> now, random, tickets);
  private PemFiles files = new PemFiles("tls", Path.of(""), Path.of(""));

  @BeforeEach
  void fresh() {
    certificate = restarted();
    files = files("mx");
  }

  private PemFiles files(String name) {
    return new PemFiles("tls", directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
  }

  private ServerCertificates restarted() {
    return new ServerCertificates(directory.resolve("self-signed.pem"), () -> now, random, tickets);
  }

  private static LoadedPair read(PemFiles files) throws Exception {
    return new LoadedPair(files, PemTls.load(files), "");
  }

  private X509Certificate shown() {
    return certificate.shown().getFirst().tls().leaf();
  }

  /** Another pair, in the form of a renewal. */
  private SelfSigned pair(Instant from) throws Exception {
    return SelfSigned.make(NAME, from, random);
  }

  private void write(SelfSigned certificateOf, SelfSigned keyOf) throws Exception {
    writeFile(
        files.certificate(),
        PemBlock.text("CERTIFICATE", certificateOf.certificate().getEncoded()));
    writeFile(files.key(), PemBlock.text("PRIVATE KEY", keyOf.keys().getPrivate().getEncoded()));
  }

  /** As renewal programs do: a new file takes the old one's name. */
  private static void writeFile(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling("fresh");
    Files.writeString(fresh, text);
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private void start(SelfSigned pair) throws Exception {
    write(pair, pair);
    certificate.use(List.of(read(files)));
    settle();
  }

  private void settle() {
    certificate.poll();
    certificate.poll();
  }

  @Test
  void aSelfSignedCertificateIsCompleteAndRaisesAnAlarm() throws Exception {
    certificate.useSelfSigned(NAME);
    X509Certificate made = shown();
    made.verify(made.getPublicKey());
    made.checkValidity(Date.from(now));
    made.checkValidity(Date.from(now.plus(Duration.ofDays(364))));
    assertEquals("CN=" + NAME, made.getSubjectX500Principal().getName());
    assertEquals(List.of(List.of(2, NAME)), List.copyOf(made.getSubjectAlternativeNames()));
    assertEquals("SHA256withECDSA", made.getSigAlgName());
    assertEquals(-1, made.getBasicConstraints());
    assertEquals(List.of("1.3.6.1.5.5.7.3.1"), made.getExtendedKeyUsage());
    assertTrue(made.getKeyUsage()[0]);
    assertTrue(certificate.alarms().getFirst().contains("self-signed"));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(directory.resolve("self-signed.pem"))));
  }

  /** When the administrator changes the permissions, neither the content nor the date changes. */
  @Test
  void aFixedPermissionIsNoticed() throws Exception {
    start(pair(now));
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-rw-rw-"));
    certificate.use(List.of(read(files)));
    settle();
    assertTrue(String.valueOf(certificate.alarms()).contains("chmod"));
    Object before = Files.getAttribute(files.key(), "unix:ctime");
    while (before.equals(Files.getAttribute(files.key(), "unix:ctime"))) {
      Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-------"));
    }
    settle();
    assertFalse(String.valueOf(certificate.alarms()).contains("chmod"));
  }

  @Test
  void theSelfSignedOneStaysTheSameUntilItsTimeOrItsNameIsOver() throws Exception {
    certificate.useSelfSigned(NAME);
    X509Certificate first = shown();
    certificate = restarted();
    certificate.useSelfSigned(NAME);
    assertEquals(first, shown());

    now = now.plus(Duration.ofDays(334));
    certificate.poll();
    assertEquals(first, shown());
    now = now.plus(Duration.ofDays(2));
    certificate.poll();
    X509Certificate second = shown();
    assertNotEquals(first, second);
    certificate = restarted();
    certificate.useSelfSigned(NAME);
    assertEquals(second, shown());
    certificate.useSelfSigned("other.company.example");
    assertNotEquals(second, shown());
  }

  @Test
  void aDamagedOrUnwritableFileDoesNotKeepTheGatewayFromTls() throws Exception {
    Path file = directory.resolve("self-signed.pem");
    Files.writeString(file, "nonsense");
    certificate.useSelfSigned(NAME);
    X509Certificate made = shown();
    assertEquals(made, PemTls.load(new PemFiles("tls", file, file)).leaf());
    Files.delete(file);
    Files.createDirectories(file.resolve("in the way"));
    certificate = restarted();
    certificate.useSelfSigned(NAME);
    assertTrue(certificate.alarms().get(1).contains("could not be kept"));
  }

  @Test
  void renewedFilesAreLoadedOnceTheyAreUnchangedForAWhile() throws Exception {
    SelfSigned first = pair(now);
    SelfSigned second = pair(now.plus(Duration.ofDays(60)));
    start(first);
    TlsContext before = certificate.choice().first();
    write(second, second);
    certificate.poll();
    assertEquals(first.certificate(), shown(), "they may be written still");
    certificate.poll();
    assertEquals(second.certificate(), shown());
    assertNotSame(before, certificate.choice().first());
  }

  @Test
  void aPairThatDoesNotMatchLeavesTheOldOneAndIsReportedUntilItIsFixed() throws Exception {
    SelfSigned first = pair(now);
    SelfSigned second = pair(now);
    start(first);
    TlsContext before = certificate.choice().first();
    write(second, first);
    settle();
    assertEquals(first.certificate(), shown());
    assertSame(before, certificate.choice().first());
    assertTrue(
        certificate.alarms().stream().anyMatch(a -> a.contains("does not belong")),
        certificate.alarms().toString());
    writeFile(files.certificate(), "-----BEGIN CERTIFICATE-----\nMIIB");
    settle();
    assertTrue(certificate.alarms().stream().anyMatch(a -> a.contains("ends inside a block")));
    Files.delete(files.key());
    settle();
    assertEquals(first.certificate(), shown());
    write(second, second);
    settle();
    assertEquals(second.certificate(), shown());
    assertEquals(List.of(), certificate.alarms());
  }

  @Test
  void touchedFilesAndReloadsKeepTheSessionsThatMayBeResumed() throws Exception {
    SelfSigned pair = pair(now);
    start(pair);
    TlsContext before = certificate.choice().first();
    write(pair, pair);
    settle();
    assertSame(before, certificate.choice().first());
  }

  /** One that breaks keeps its former content, and the other one is renewed beside it. */
  @Test
  void eachPairIsRenewedApart() throws Exception {
    SelfSigned first = pair(now);
    SelfSigned second = pair(now);
    PemFiles others = files("other");
    write(first, first);
    PemTls loaded = PemTls.load(files);
    PemFiles mine = files;
    files = others;
    write(second, second);
    certificate.use(List.of(new LoadedPair(mine, loaded, ""), read(others)));
    settle();
    assertEquals(List.of(), certificate.alarms());

    SelfSigned third = pair(now);
    writeFile(mine.key(), "-----BEGIN PRIVATE KEY-----\nMIIB");
    write(third, third);
    settle();
    assertEquals(
        List.of(first.certificate(), third.certificate()),
        certificate.shown().stream().map(each -> each.tls().leaf()).toList());
    assertEquals(1, certificate.alarms().size(), certificate.alarms().toString());
    assertTrue(certificate.alarms().getFirst().startsWith("tls.key: " + mine.key() + " ends"));
    assertSame(loaded.context(), certificate.choice().first());

    files = mine;
    write(first, first);
    settle();
    assertEquals(List.of(), certificate.alarms());
    now = now.plus(Duration.ofDays(360));
    assertEquals(2, certificate.alarms().size());
    assertTrue(
        certificate.alarms().get(1).startsWith("the certificate " + others.certificate() + " exp"),
        certificate.alarms().toString());
  }

  /** It takes its place in the order once it can be read, and a reload does not take it away. */
  @Test
  void aPairThatCannotBeReadIsShownAsSoonAsItCan() throws Exception {
    SelfSigned first = pair(now);
    SelfSigned second = pair(now);
    PemFiles broken = files("broken");
    write(second, second);
    LoadedPair good = read(files);
    LoadedPair unread = new LoadedPair(broken, null, "cannot read it");
    certificate.use(List.of(unread, good));
    settle();
    assertEquals(List.of(second.certificate()), leaves());
    assertEquals(1, certificate.unread().size());
    assertTrue(certificate.unread().getFirst().sentence().contains("no reload is needed"));

    PemFiles mine = files;
    files = broken;
    write(first, first);
    settle();
    assertEquals(List.of(first.certificate(), second.certificate()), leaves());
    assertEquals(List.of(), certificate.unread());

    files = mine;
    TlsContext before = certificate.choice().first();
    certificate.use(List.of(unread, read(files)));
    assertEquals(List.of(first.certificate(), second.certificate()), leaves());
    assertSame(before, certificate.choice().first());
    assertEquals(
        List.of(
            "cannot read it; the former certificate stays in use; fix the files; no reload is"
                + " needed"),
        certificate.alarms());
    settle();
    assertEquals(List.of(), certificate.alarms(), "it was read again");
  }

  private List<X509Certificate> leaves() {
    return certificate.shown().stream().map(each -> each.tls().leaf()).toList();
  }

  /** When it is loaded, and when its time comes while it is shown. */
  @Test
  void anExpiredCertificateIsNotChosenWhileAnotherOneIsValid() throws Exception {
    SelfSigned fresh = pair(now);
    write(fresh, fresh);
    LoadedPair later = read(files);
    files = files("old");
    SelfSigned old = pair(now.minus(Duration.ofDays(400)));
    SelfSigned half = pair(now.minus(Duration.ofDays(200)));
    write(half, half);
    LoadedPair sooner = read(files);
    certificate.use(List.of(sooner, later));
    settle();
    TlsContext context = certificate.choice().first();
    assertSame(certificate.shown().getFirst().tls().context(), context);

    write(old, old);
    settle();
    assertEquals(old.certificate(), shown());
    assertSame(certificate.shown().getLast().tls().context(), certificate.choice().first());
    assertTrue(certificate.alarms().getFirst().contains("expired at"));

    write(half, half);
    settle();
    assertSame(certificate.shown().getFirst().tls().context(), certificate.choice().first());
    now = now.plus(Duration.ofDays(200));
    certificate.poll();
    assertSame(certificate.shown().getLast().tls().context(), certificate.choice().first());
  }

  @Test
  void anRsaOneThatWasSelfSignedBeforeStays() throws Exception {
    Path file = directory.resolve("self-signed.pem");
    Path key = directory.resolve("key.pem");
    TestCertificate rsa = TestCertificate.shared("dns:" + NAME, "RSA");
    rsa.writePem(file, key);
    Files.writeString(file, Files.readString(file) + Files.readString(key));
    // Made for thirty days by the clock of this machine, and used until thirty before its end.
    now = rsa.certificate().getNotAfter().toInstant().minus(Duration.ofDays(31));
    certificate.useSelfSigned(NAME);
    assertEquals(rsa.certificate(), shown());
    now = now.plus(Duration.ofDays(2));
    certificate.poll();
    assertEquals("SHA256withECDSA", shown().getSigAlgName());
  }

  @Test
  void theEndOfACertificateIsReportedTwoWeeksAhead() throws Exception {
    start(pair(now));
    now = now.plus(Duration.ofDays(350));
    assertEquals(List.of(), certificate.alarms());
    now = now.plus(Duration.ofDays(2));
    assertTrue(certificate.alarms().getFirst().contains("expires in 13 days"));
    now = now.plus(Duration.ofDays(14));
    assertTrue(certificate.alarms().getFirst().contains("expired at 2027-11-21"));
    assertFalse(certificate.shown().getFirst().selfSigned());
  }
}
