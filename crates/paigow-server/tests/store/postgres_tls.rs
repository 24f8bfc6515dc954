//! PostgreSQL over TLS: every `sslmode` against a real server, with certificates made for the test.

use crate::kit::certificates::Authority;
use crate::kit::cluster::Cluster;
use paigow_server::{AnyStore, Postgres, Store};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Host name of the certificate.
const HOST: &str = "db.test";

/// Opens a new store at a host name, with these options, and returns whether its connections are encrypted.
async fn open(cluster: &Cluster, host: &str, options: &str) -> Result<bool, String> {
    let address = cluster.database_on_tcp(host, options).await;
    let store = Postgres::open(&address).await.map_err(|error| error.to_string())?;
    assert!(store.tables().await.unwrap().is_empty());
    // Over the socket, because the server may offer no TLS.
    let socket = cluster.database().await;
    let (client, connection) = tokio_postgres::connect(&socket, NoTls).await.unwrap();
    tokio::spawn(connection);
    let database = address.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
    let query = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = $1";
    Ok(client.query_one(query, &[&database]).await.unwrap().get(0))
}

#[tokio::test]
async fn every_sslmode_works_as_in_libpq() {
    let cluster = Cluster::start_on_tcp();

    // A server without TLS.
    let refused = open(&cluster, HOST, "sslmode=require").await.unwrap_err();
    assert!(refused.contains("the PostgreSQL server does not offer TLS"), "{refused}");
    assert!(open(&cluster, HOST, "sslmode=verify-full").await.is_err());
    assert_eq!(open(&cluster, HOST, "sslmode=prefer").await, Ok(false));

    let (authority, stranger) = (Authority::new("Test authority"), Authority::new("Other authority"));
    let pair = authority.issue(&[HOST], 2100);
    cluster.turn_tls_on(&pair.cert, &pair.key).await;
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string().replace('/', "%2F")
    };
    let (right, wrong) = (file("ca.pem", authority.pem()), file("other.pem", stranger.pem()));

    assert_eq!(open(&cluster, HOST, "sslmode=disable").await, Ok(false));
    assert_eq!(open(&cluster, HOST, "connect_timeout=5").await, Ok(true), "`prefer` is the default");
    assert_eq!(open(&cluster, "other.test", "sslmode=require").await, Ok(true), "no certificate is verified");
    for mode in ["require", "verify-ca", "verify-full"] {
        assert_eq!(
            open(&cluster, HOST, &format!("sslmode={mode}&sslrootcert={right}")).await,
            Ok(true),
            "{mode}"
        );
        let refused = open(&cluster, HOST, &format!("sslmode={mode}&sslrootcert={wrong}")).await.unwrap_err();
        assert!(refused.contains("no trusted CA has signed it"), "{mode}: {refused}");
        assert!(refused.contains("sslrootcert=FILE"), "{mode}: {refused}");
    }
    let elsewhere = |mode: &str| format!("sslmode={mode}&sslrootcert={right}");
    assert_eq!(open(&cluster, "other.test", &elsewhere("verify-ca")).await, Ok(true));
    let refused = open(&cluster, "other.test", &elsewhere("verify-full")).await.unwrap_err();
    assert!(refused.contains("another host name") && refused.contains("other.test"), "{refused}");
    // The operating system trusts public authorities only.
    assert!(open(&cluster, HOST, "sslmode=verify-full").await.is_err());

    let expired = authority.issue(&[HOST], 2001);
    cluster.turn_tls_on(&expired.cert, &expired.key).await;
    let refused = open(&cluster, HOST, &elsewhere("verify-ca")).await.unwrap_err();
    assert!(refused.contains("it has expired"), "{refused}");

    let address = cluster.database_on_tcp(HOST, "sslmode=verify-ca&sslrootcert=%2Fmissing.pem").await;
    let refused = AnyStore::open_existing(&address).await.err().unwrap().to_string();
    assert!(refused.contains("`sslrootcert` /missing.pem: "), "{refused}");
}
