package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names as providers give them to addresses, and names of hosts that send mail. Addresses and names
 * have the form of real ones; where the form gives it, both are real.
 */
class GenericNamesTest {

  @ParameterizedTest
  @CsvSource({
    "24.18.98.14, c-24-18-98-14.hsd1.wa.comcast.net",
    "71.63.151.151, c-71-63-151-151.hsd1.mn.comcast.net",
    "69.208.201.177, adsl-69-208-201-177.dsl.emhril.ameritech.net",
    "109.168.232.131, host-109-168-232-131.stv.ru",
    "62.198.236.129, 0x3ec6ec81.inet.dsl.telianet.dk",
    "203.210.213.149, 149.213.210.203.in-addr.arpa",
    "93.207.81.52, p5dcf5134.dip0.t-ipconnect.de",
    "91.12.34.56, p5b0c2238.dip.t-dialin.net",
    "84.56.78.90, dslb-084-056-078-090.084.056.pools.vodafone-ip.de",
    "86.192.12.34, lfbn-idf1-1-34-12.w86-192.abo.wanadoo.fr",
    "82.64.12.34, 82-64-12-34.subs.proxad.net",
    "78.192.3.4, 78-192-3-4.dynamic.example.fr",
    "187.10.20.30, 187-10-20-30.dsl.telesp.net.br",
    "177.32.10.20, b1200a14.virtua.com.br",
    "201.17.5.6, c9110506.virtua.com.br",
    "113.87.12.34, 34.12.87.113.broad.sz.gd.dynamic.163data.com.cn",
    "126.1.2.3, softbank126001002003.bbtec.net",
    "220.100.7.8, 8.7.100.220.dy.bbexcite.jp",
    "95.24.1.2, 95-24-1-2.broadband.corbina.ru",
    "178.45.3.9, pppoe-178-45-3-9.volgograd.example.ru",
    "5.18.33.44, 5x18x33x44.dynamic.example-isp.ru",
    "188.16.5.7, pool-7.adsl.example.net.tr",
    "41.60.1.9, dhcp9.wireless.example.co.za",
    "3.80.12.99, ec2-3-80-12-99.compute-1.amazonaws.com",
    "34.90.12.5, 5.12.90.34.bc.googleusercontent.com",
    "90.160.10.11, 11.pool90-160-10.dynamic.orange.es",
    "2.136.7.8, 8.red-2-136-7.dynamicip.rima-tde.net",
    "79.20.3.4, host-79-20-3-4.retail.telecomitalia.it",
    "2001:db8:12:34:56:78:9a:bc, 2001-0db8-0012-0034-0056-0078-009a-00bc.dynamic6.example.net",
    "2a02:8109:8b80:1c0:1234:5678:9abc:def0, ipv6-123456789abcdef0.example.de",
    "2a01:e34:ec12:3450:1:2:3:4, 2a01-e34-ec12-3450-1-2-3-4.example.fr",
  })
  void aProviderGaveThese(String client, String name) {
    assertTrue(GenericNames.isGeneric(name, World.ip(client)), name);
  }

  @ParameterizedTest
  @CsvSource({
    "74.125.82.182, mail-we0-f182.google.com",
    "209.85.208.45, mail-ed1-f45.google.com",
    "40.92.66.35, mail-oln040092066035.outbound.protection.outlook.com",
    "40.107.22.45, mail-am6eur05on2045.outbound.protection.outlook.com",
    "66.220.144.145, 66-220-144-145.mail-mail.facebook.com",
    "54.240.8.29, a8-29.smtp-out.amazonses.com",
    "198.2.178.5, mail178-5.suw51.mandrillapp.com",
    "77.238.178.146, sonic304-22.consmr.mail.ir2.yahoo.com",
    "17.58.6.43, pv50p00im-ztdg10021201.me.com",
    "149.72.154.232, o1.ptr1234.sendgrid.net",
    "167.89.12.34, o16789123x34.outbound-mail.sendgrid.net",
    "159.135.228.10, m228-10.mailgun.net",
    "212.227.126.131, mout.kundenserver.de",
    "217.72.192.75, mout.web.de",
    "81.19.149.117, mx07lb.world4you.com",
    "88.198.5.6, static.88-198-5-6.clients.your-server.de",
    "51.68.12.34, ns3012345.ip-51-68-12.eu",
    "101.0.57.5, static-bpipl-101.0.57-5.com",
    "100.42.67.92, 92-67-42-100-dedicated.multacom.com",
    "62.146.8.14, business-062-146-008-014.static.example.net",
    "69.60.99.112, post3.fabulousdealz.com",
    "203.0.113.7, mail.partner.example",
    "203.0.113.7, gate7.example.org",
    "203.0.113.7, host7.dsl.net",
    "203.0.113.7, pool.ntp.org",
    "203.0.113.7, dynamic.example.org",
    "203.0.113.7, relay-203-0-113-7.example.org",
    "203.0.113.7, web113.hosting.example",
    "203.0.113.7, s203-0.example.org",
    "192.0.2.1, lists.debian.org",
    "2001:db8::1, mx1.example.org",
    "2001:db8::1, 1.example.org",
  })
  void theseNameAHost(String client, String name) {
    assertFalse(GenericNames.isGeneric(name, World.ip(client)), name);
  }

  @Test
  void noNameIsNotGeneric() {
    assertFalse(GenericNames.isGeneric("", World.ip("203.0.113.7")));
  }
}
