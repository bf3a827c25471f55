import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.gm.GMNamedCurves;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.agreement.SM2KeyExchange;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithID;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.SM2KeyExchangePrivateParameters;
import org.bouncycastle.crypto.params.SM2KeyExchangePublicParameters;
import org.bouncycastle.crypto.signers.PlainDSAEncoding;
import org.bouncycastle.crypto.signers.SM2Signer;
import org.bouncycastle.crypto.signers.StandardDSAEncoding;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.util.encoders.Hex;

/**
 * SM2 of Bouncy Castle for {@code cargo xtask differential sm2}.
 *
 * <p>The protocol is that of xtask/src/differential/sm2/peer.rs: a request is a line, and so is its answer.
 */
public final class Peer {
    private static final X9ECParameters CURVE = GMNamedCurves.getByName("sm2p256v1");
    private static final ECDomainParameters DOMAIN = new ECDomainParameters(CURVE);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What an initiator or a responder keeps until the other side has answered. */
    private record Waiting(
            ECPrivateKeyParameters own,
            ECPrivateKeyParameters ephemeral,
            byte[] id,
            ECPublicKeyParameters other,
            byte[] otherId,
            int bits,
            byte[][] agreed) {}

    private static final Map<String, Waiting> EXCHANGES = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(line));
            System.out.flush();
        }
    }

    private static String answer(String line) {
        try {
            var text = new StringBuilder("ok");
            for (byte[] field : handle(new ArrayDeque<>(List.of(line.trim().split(" "))))) {
                text.append(' ').append(field.length == 0 ? "-" : Hex.toHexString(field));
            }
            return text.toString();
        } catch (Exception refusal) {
            return ("refused " + refusal).replace('\n', ' ');
        }
    }

    private static byte[][] handle(Deque<String> words) throws Exception {
        String operation = words.remove();
        return switch (operation) {
            case "version" -> fields(version().getBytes(StandardCharsets.US_ASCII));
            case "public" -> fields(encoded(privateKey(words)));
            case "sign" -> sign(words);
            case "verify" -> verify(words);
            case "encrypt" -> encrypt(words);
            case "decrypt" -> decrypt(words);
            case "initiate" -> initiate(words);
            case "finish" -> finish(words);
            case "respond" -> respond(words);
            case "confirm" -> confirm(words);
            case "agree" -> agree(words);
            default -> throw new IllegalArgumentException("no operation " + operation);
        };
    }

    private static byte[][] fields(byte[]... fields) {
        return fields;
    }

    private static String version() {
        String provider = new BouncyCastleProvider().getVersionStr();
        return provider + ", Java " + System.getProperty("java.version");
    }

    private static byte[] bytes(Deque<String> words) {
        String word = words.remove();
        return word.equals("-") ? new byte[0] : Hex.decode(word);
    }

    private static ECPrivateKeyParameters privateKey(Deque<String> words) {
        return new ECPrivateKeyParameters(new BigInteger(1, bytes(words)), DOMAIN);
    }

    private static ECPublicKeyParameters publicKey(Deque<String> words) {
        return new ECPublicKeyParameters(CURVE.getCurve().decodePoint(bytes(words)), DOMAIN);
    }

    /** The public key of a private one. */
    private static byte[] encoded(ECPrivateKeyParameters key) {
        return new FixedPointCombMultiplier().multiply(DOMAIN.getG(), key.getD()).getEncoded(false);
    }

    private static SM2Signer signer(String form) {
        return new SM2Signer(form.equals("raw") ? PlainDSAEncoding.INSTANCE : StandardDSAEncoding.INSTANCE);
    }

    private static byte[][] sign(Deque<String> words) throws Exception {
        SM2Signer signer = signer(words.remove());
        CipherParameters key = privateKey(words);
        signer.init(true, new ParametersWithID(key, bytes(words)));
        byte[] message = bytes(words);
        signer.update(message, 0, message.length);
        return fields(signer.generateSignature());
    }

    private static byte[][] verify(Deque<String> words) {
        SM2Signer signer = signer(words.remove());
        CipherParameters key = publicKey(words);
        signer.init(false, new ParametersWithID(key, bytes(words)));
        byte[] message = bytes(words);
        signer.update(message, 0, message.length);
        return done(signer.verifySignature(bytes(words)), "not valid");
    }

    private static byte[][] done(boolean good, String reason) {
        if (!good) {
            throw new IllegalStateException(reason);
        }
        return fields();
    }

    private static SM2Engine engine(String form) {
        return new SM2Engine(form.equals("c1c3c2") ? SM2Engine.Mode.C1C3C2 : SM2Engine.Mode.C1C2C3);
    }

    private static byte[][] encrypt(Deque<String> words) throws Exception {
        SM2Engine engine = engine(words.remove());
        engine.init(true, new ParametersWithRandom(publicKey(words), RANDOM));
        byte[] plaintext = bytes(words);
        return fields(engine.processBlock(plaintext, 0, plaintext.length));
    }

    private static byte[][] decrypt(Deque<String> words) throws Exception {
        SM2Engine engine = engine(words.remove());
        engine.init(false, privateKey(words));
        byte[] ciphertext = bytes(words);
        return fields(engine.processBlock(ciphertext, 0, ciphertext.length));
    }

    /** Reads what both roles begin with; the name of the exchange was read. */
    private static Waiting begin(Deque<String> words, ECPrivateKeyParameters ephemeral) {
        int bits = 8 * (bytes(words)[0] & 0xff);
        ECPrivateKeyParameters own = privateKey(words);
        byte[] id = bytes(words);
        ECPublicKeyParameters other = publicKey(words);
        byte[] otherId = bytes(words);
        return new Waiting(own, ephemeral, id, other, otherId, bits, null);
    }

    private static ECPrivateKeyParameters drawn() {
        BigInteger drawn = new BigInteger(320, RANDOM).mod(DOMAIN.getN().subtract(BigInteger.ONE));
        return new ECPrivateKeyParameters(drawn.add(BigInteger.ONE), DOMAIN);
    }

    private static SM2KeyExchange exchange(Waiting waiting, boolean initiator) {
        var keys = new SM2KeyExchangePrivateParameters(initiator, waiting.own(), waiting.ephemeral());
        var exchange = new SM2KeyExchange();
        exchange.init(new ParametersWithID(keys, waiting.id()));
        return exchange;
    }

    private static ParametersWithID others(Waiting waiting, ECPublicKeyParameters ephemeral) {
        var keys = new SM2KeyExchangePublicParameters(waiting.other(), ephemeral);
        return new ParametersWithID(keys, waiting.otherId());
    }

    private static byte[][] initiate(Deque<String> words) {
        String name = words.remove();
        Waiting waiting = begin(words, drawn());
        EXCHANGES.put(name, waiting);
        return fields(encoded(waiting.ephemeral()));
    }

    private static byte[][] finish(Deque<String> words) {
        Waiting waiting = EXCHANGES.remove(words.remove());
        ECPublicKeyParameters ephemeral = publicKey(words);
        return exchange(waiting, true)
                .calculateKeyWithConfirmation(waiting.bits(), bytes(words), others(waiting, ephemeral));
    }

    private static byte[][] respond(Deque<String> words) {
        String name = words.remove();
        Waiting waiting = begin(words, drawn());
        ECPublicKeyParameters ephemeral = publicKey(words);
        byte[][] agreed =
                exchange(waiting, false)
                        .calculateKeyWithConfirmation(waiting.bits(), null, others(waiting, ephemeral));
        byte[] point = encoded(waiting.ephemeral());
        EXCHANGES.put(name, new Waiting(null, null, null, null, null, 0, agreed));
        return fields(point, agreed[1]);
    }

    private static byte[][] confirm(Deque<String> words) {
        byte[][] agreed = EXCHANGES.remove(words.remove()).agreed();
        done(MessageDigest.isEqual(agreed[2], bytes(words)), "not confirmed");
        return fields(agreed[0]);
    }

    /** One side at once, with a given ephemeral key and all that the other side sends. */
    private static byte[][] agree(Deque<String> words) {
        boolean initiator = words.remove().equals("initiator");
        Waiting waiting = begin(words, privateKey(words));
        ParametersWithID others = others(waiting, publicKey(words));
        byte[] confirmation = bytes(words);
        byte[][] agreed =
                exchange(waiting, initiator)
                        .calculateKeyWithConfirmation(
                                waiting.bits(), initiator ? confirmation : null, others);
        if (!initiator) {
            done(MessageDigest.isEqual(agreed[2], confirmation), "not confirmed");
        }
        return fields(agreed[0], agreed[1]);
    }
}
