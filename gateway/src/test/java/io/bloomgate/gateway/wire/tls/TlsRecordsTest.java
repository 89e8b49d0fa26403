package io.bloomgate.gateway.wire.tls;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Records that bring nothing to read. */
final class TlsRecordsTest {

  /** Padded to their full size, records without a word are many octets and few records. */
  @Test
  void octetsWithoutTextAreBoundedToo() throws IOException {
    TlsRecords records = new TlsRecords();
    int record = 5 + 16 * 1024;
    for (int i = 0; i < 3; i++) {
      records.nothing(record);
    }
    records.text();
    for (int i = 0; i < 3; i++) {
      records.nothing(record);
    }
    assertThrows(TlsRecords.TooManyException.class, () -> records.nothing(record));
  }

  @Test
  void theirNumberIsThatOfTheWholeConnection() throws IOException {
    TlsRecords records = new TlsRecords();
    for (int i = 0; i < TlsRecords.MAX_EMPTY_RECORDS; i++) {
      records.nothing(27);
      records.text();
    }
    assertThrows(TlsRecords.TooManyException.class, () -> records.nothing(27));
  }
}
